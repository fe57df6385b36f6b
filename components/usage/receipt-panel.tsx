'use client'

import type { CallReceipt as ReceiptShape } from '@/server/credits/shape'
import { formatExactTime } from '../ui/format-time'
import { SidePanel } from '../ui/panel'
import { useTimeZone } from '../ui/time-zone'
import { LoggedRequest } from './logged-request'
import { ReceiptDetails } from './receipt-details'

type Props = { of: ReceiptShape | null; creditsPerUsd: number; onClose: () => void }

/** A receipt in a side panel; null closes it. */
export function ReceiptPanel({ of, creditsPerUsd, onClose }: Props) {
  const timeZone = useTimeZone()
  return (
    <SidePanel
      open={of !== null}
      onClose={onClose}
      title={<span className="num">{of?.what}</span>}
      note={of ? `Receipt of ${formatExactTime(of.at, timeZone)}` : ''}
    >
      {of && <ReceiptDetails of={of} creditsPerUsd={creditsPerUsd} />}
      {of && of.channel !== 'agent' && <LoggedRequest key={of.requestId} requestId={of.requestId} />}
    </SidePanel>
  )
}
