'use client'

import { useQuery } from '@tanstack/react-query'
import { useTRPC } from '../trpc'
import { CopyBox } from '../ui/copy'

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
export function LoggedRequest({ requestId }: { requestId: string }) {
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
