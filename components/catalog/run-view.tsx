import Link from 'next/link'
import { memo, useEffect, useState } from 'react'
import { Credits, formatUsd } from '../ui/amount'
import { CopyButton } from '../ui/copy'
import { CreditsLink } from '../ui/credits-link'
import { formatDuration } from '../ui/format-time'
import { Empty, Notice } from '../ui/page'
import { Skeleton } from '../ui/skeleton'
import { MediaView } from './media-view'
import { ResultView } from './result-view'
import { formatCharge } from './run-failure'
import type { ToolRunState } from './use-tool-run'

type Props = { of: ToolRunState; baseUrl: string; rate: number }

/** A run: its progress, its result with media and charge, or why it failed. */
export const RunView = memo(function RunView({ of, baseUrl, rate }: Props) {
  switch (of.state) {
    case 'idle':
      return (
        <Empty title="No run yet">
          <p>
            The result appears here with its charge. A run is paid from your balance, without a key, and is listed in
            Usage as “playground”.
          </p>
        </Empty>
      )
    case 'running':
      return <Running />
    case 'stopped':
      return (
        <div className="grid gap-2">
          <Notice tone="warn">{describeStopped(of)}</Notice>
          {of.charged === null && !of.isLooking ? <UsageLink /> : <ReceiptLink id={of.requestId} />}
        </div>
      )
    case 'failed':
      return (
        <div className="grid gap-2">
          <Notice tone="bad">
            {of.failure.message} {formatCharge(of.failure.charged)} {of.failure.isShort && <CreditsLink />}
          </Notice>
          {of.failure.charged === null ? <UsageLink /> : <ReceiptLink id={of.failure.requestId} />}
        </div>
      )
    case 'done': {
      const { result, charged, requestId, columns } = of.run
      const text = JSON.stringify(result, null, 2)
      return (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
          <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-table">
            <span data-testid="charge">
              <Credits value={charged} className="font-semibold" /> {charged === 1 ? 'credit' : 'credits'}{' '}
              <span className="text-muted">≈ {formatUsd(charged, rate)}</span>
            </span>
            <span className="num text-muted">{formatDuration(of.ms)}</span>
            <ReceiptLink id={requestId} />
            <span className="ml-auto">
              <CopyButton text={text} label="Copy result" />
            </span>
          </div>
          <MediaView result={result} baseUrl={baseUrl} />
          <ResultView key={requestId} output={result} first={columns} />
        </div>
      )
    }
    default:
      return of satisfies never
  }
})

function describeStopped({ charged, isLooking }: Extract<ToolRunState, { state: 'stopped' }>): string {
  if (isLooking) return 'Stopped. Looking for its charge…'
  if (charged === null)
    return 'Stopped. If the provider had accepted the request, it runs to its end, and its charge appears in Usage.'
  return `Stopped. ${formatCharge(charged)}`
}

const LINK = 'text-table text-accent hover:underline'

const ReceiptLink = ({ id }: { id: string | null }) =>
  id && (
    <Link href={`/usage?receipt=${id}`} prefetch={false} className={LINK}>
      Receipt
    </Link>
  )

const UsageLink = () => (
  <Link href="/usage" prefetch={false} className={LINK}>
    Open Usage
  </Link>
)

/** The seconds elapsed, and a skeleton of the result. */
function Running() {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    // Reads the clock: timers of a page in the background fire late.
    const startedAt = performance.now()
    const timer = setInterval(() => setSeconds(Math.round((performance.now() - startedAt) / 1000)), 1000)
    return () => clearInterval(timer)
  }, [])
  return (
    <div className="grid gap-3">
      <p className="flex items-center justify-between gap-4 text-table text-muted">
        <span>Running</span>
        <span className="num" aria-hidden data-testid="seconds">
          {seconds} s
        </span>
      </p>
      <div className="grid gap-2 rounded border bg-sunken p-3">
        <Skeleton className="h-3.5 w-2/5" />
        <Skeleton className="h-3.5 w-4/5" />
        <Skeleton className="h-3.5 w-3/5" />
        <Skeleton className="h-3.5 w-1/2" />
      </div>
    </div>
  )
}
