'use client'

import { type ReactNode, useEffect, useState } from 'react'
import type { CallReceipt as ReceiptShape } from '@/server/credits/shape'
import { setUrlParams } from '../ui/set-url-params'
import type { ReceiptPanel as Panel } from './receipt-panel'

/**
 * The receipt that is open in the side panel, which is in the URL too. There j and k move through
 * `rows`.
 */
export function useShownReceipt(rows: readonly ReceiptShape[], opened: ReceiptShape | null, creditsPerUsd: number) {
  const [shown, setShown] = useState<ReceiptShape | null>(opened)
  const [loaded, setLoaded] = useState<{ Panel: typeof Panel } | null>(null)
  const isMissing = shown !== null && loaded === null
  // No page carries it: it is loaded when the first receipt is opened.
  useEffect(() => {
    if (isMissing)
      import('./receipt-panel').then(
        ({ ReceiptPanel }) => setLoaded({ Panel: ReceiptPanel }),
        () => {},
      )
  }, [isMissing])
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
  const panel: ReactNode = loaded && (
    <loaded.Panel of={shown} creditsPerUsd={creditsPerUsd} onClose={() => show(null)} />
  )
  return { shown, show, panel }
}
