import Link from 'next/link'
import { memo } from 'react'
import { Credits, formatCredits, formatUsd } from '../ui/amount'
import { CopyButton } from '../ui/copy'
import { formatDuration } from '../ui/format-time'
import { Notice } from '../ui/page'
import { Skeleton } from '../ui/skeleton'
import type { ChatTurn } from './turn'

const FINISH_REASONS: Record<string, string> = {
  length: 'Cut at the output limit',
  content_filter: 'Withheld by the provider’s content filter',
  tool_calls: 'The model called a tool. The playground has no tools',
}

/** One message and its response, with what it cost. */
export const ChatTurnView = memo(function TurnView({ of, rate }: { of: ChatTurn; rate: number }) {
  const finish = of.finishReason && FINISH_REASONS[of.finishReason]
  return (
    <article
      aria-label={`Turn ${of.id}`}
      className="grid grid-cols-[minmax(0,1fr)] gap-3 border-b pb-5 last:border-b-0"
    >
      <div className="justify-self-end rounded bg-accent-weak px-3.5 py-2 max-w-[85%]">
        <h2 className="sr-only">You</h2>
        {of.message && <p className="[overflow-wrap:anywhere] whitespace-pre-wrap">{of.message}</p>}
        {of.images.length > 0 && (
          <ul className="mt-1 flex flex-wrap gap-2">
            {of.images.map(({ name, url }) => (
              <li key={url.slice(-80)}>
                {/* biome-ignore lint/performance/noImgElement: it is a data: URI already here */}
                <img src={url} alt={name} className="max-h-32 max-w-48 rounded border" />
              </li>
            ))}
          </ul>
        )}
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
        <h2 className="num text-caption text-muted">{of.model}</h2>
        {of.reasoning && (
          <details open={of.text === ''} className="text-muted">
            <summary className="text-table">Reasoning</summary>
            <p className="mt-1 border-l-2 pl-3 text-table [overflow-wrap:anywhere] whitespace-pre-wrap">
              {of.reasoning}
            </p>
          </details>
        )}
        {of.state === 'waiting' && (
          <div role="status" aria-label="Waiting for the response" className="grid gap-2 py-1">
            <Skeleton className="h-3.5 w-3/5" />
            <Skeleton className="h-3.5 w-2/5" />
          </div>
        )}
        {of.text && (
          <p data-testid="answer" className="max-w-[75ch] [overflow-wrap:anywhere] whitespace-pre-wrap">
            {of.text}
          </p>
        )}
        {finish && <p className="text-table text-warn">{finish}</p>}
        {of.state === 'stopped' && <p className="text-table text-muted">Stopped</p>}
        {of.error && (
          <Notice tone="bad">
            {of.error} {chargeOf(of)}
          </Notice>
        )}
        <TurnFooter of={of} rate={rate} />
      </div>
    </article>
  )
})

/** What a failure cost, and what happens to the message. */
function chargeOf({ cost, text }: ChatTurn): string {
  const charge =
    cost === null
      ? 'If it was charged, the charge appears in Usage.'
      : cost.charged === 0
        ? 'Nothing was charged.'
        : `${formatCredits(cost.charged)} ${cost.charged === 1 ? 'credit was' : 'credits were'} charged for the part that arrived.`
  return `${charge} Your message is kept below${text ? '; this response is not part of the conversation' : ''}.`
}

/** The line under a response: tokens, charge, duration, receipt and a copy button. */
function TurnFooter({ of: { cost, ms, requestId, text, state }, rate }: { of: ChatTurn; rate: number }) {
  if (ms === null || (!cost && !requestId) || (state === 'failed' && !cost?.charged && !text)) return null
  const { inputTokens, outputTokens, estimated } = cost ?? {}
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-0.5 text-caption text-muted">
      {inputTokens !== undefined && outputTokens !== undefined && (
        <span>
          <span className="num">{formatCredits(inputTokens)}</span> tokens in,{' '}
          <span className="num">{formatCredits(outputTokens)}</span> out{estimated && ', estimated'}
        </span>
      )}
      {cost ? (
        <span data-testid="charge" className="text-text">
          <Credits value={cost.charged} className="font-semibold" /> {cost.charged === 1 ? 'credit' : 'credits'}{' '}
          <span className="text-muted">≈ {formatUsd(cost.charged, rate)}</span>
        </span>
      ) : (
        <span>its charge appears in Usage</span>
      )}
      <span className="num">{formatDuration(ms)}</span>
      {requestId && (
        <Link href={`/usage?receipt=${requestId}`} prefetch={false} className="text-accent hover:underline">
          Receipt
        </Link>
      )}
      {text && <CopyButton text={text} bare label="Copy response" />}
    </div>
  )
}
