'use client'

import { type ReactNode, useEffect, useState } from 'react'
import type { CallReceipt as ReceiptShape } from '@/server/credits/shape'
import { formatExactTime } from '../ui/format-time'
import { SidePanel } from '../ui/panel'
import { setUrlParams } from '../ui/set-url-params'
import { useTimeZone } from '../ui/time-zone'
import { ReceiptDetails } from './receipt-details'

/**
 * The receipt that is open in the side panel, which is in the URL too. There j and k move through
 * `rows`.
 */
export function useShownReceipt(rows: readonly ReceiptShape[], opened: ReceiptShape | null, creditsPerUsd: number) {
  const [shown, setShown] = useState<ReceiptShape | null>(opened)
  const timeZone = useTimeZone()
  const show = (receipt: ReceiptShape | null) => {
    setShown(receipt)
    setUrlParams({ receipt: receipt?.requestId ?? null })
  }
  useEffect(() => {
    if (!shown) return
    const onKey = ({ key }: KeyboardEvent) => {
      const at = rows.findIndex((r) => r.requestId === shown.requestId)
      const next = key === 'j' ? rows[at + 1] : key === 'k' ? rows[at - 1] : undefined
      if (next) show(next)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  })
  const panel: ReactNode = (
    <SidePanel
      open={shown !== null}
      onClose={() => show(null)}
      title={<span className="num">{shown?.what}</span>}
      note={shown ? `Receipt of ${formatExactTime(shown.at, timeZone)}` : ''}
    >
      {shown && <ReceiptDetails of={shown} creditsPerUsd={creditsPerUsd} />}
    </SidePanel>
  )
  return { shown, show, panel }
}
