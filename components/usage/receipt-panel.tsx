'use client'

import { useQuery } from '@tanstack/react-query'
import type { CallReceipt as ReceiptShape } from '@/server/credits/shape'
import { useTRPC } from '../trpc'
import { CopyBox } from '../ui/copy'
import { formatExactTime } from '../ui/format-time'
import { SidePanel } from '../ui/panel'
import { useTimeZone } from '../ui/time-zone'
import { ReceiptDetails } from './receipt-details'

const textOf = (value: unknown): string => JSON.stringify(value, null, 2)

type SideProps = { title: string; value: unknown; isTruncated: boolean }

const Side = ({ title, value, isTruncated }: SideProps) => (
  <details>
    <summary className="cursor-pointer py-1 font-medium">{title}</summary>
    {isTruncated && <p className="mb-1 text-caption text-muted">The first 64 KiB: the rest was not kept.</p>}
    <CopyBox code={textOf(value)} label={title} narrow />
  </details>
)

/** What a call asked and was answered, where its owner keeps that. */
function LoggedRequest({ requestId }: { requestId: string }) {
  const { data } = useQuery(useTRPC().usage.log.queryOptions({ requestId }, { staleTime: 60_000 }))
  const log = data?.log
  if (!log) return null
  return (
    <section aria-label="Request log" className="mt-5 grid grid-cols-[minmax(0,1fr)] gap-2 border-t pt-3">
      <Side title="Request" value={log.request} isTruncated={log.requestTruncated} />
      <Side title="Response" value={log.response} isTruncated={log.responseTruncated} />
    </section>
  )
}

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
