import Link from 'next/link'
import { Credits, formatCredits, formatUsd } from '../ui/amount'
import { CopyButton } from '../ui/copy'
import { formatDuration } from '../ui/format-time'
import { answerCharge, answerText, type ChatAnswer } from './turn'

/** The line under an answer: tokens, charge, times, receipt and a copy button. */
export function AnswerFooter({ of, rate }: { of: ChatAnswer; rate: number }) {
  const { rounds, ms, firstMs, state } = of
  const last = rounds.at(-1)
  const text = answerText(of)
  const charged = answerCharge(of)
  if (ms === null || !last || (!last.cost && !last.requestId)) return null
  if (state === 'failed' && charged === 0 && text === '') return null
  const costs = rounds.flatMap(({ cost }) => cost ?? [])
  const total = (of: 'inputTokens' | 'outputTokens') => costs.reduce((sum, cost) => sum + (cost[of] ?? 0), 0)
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-0.5 text-caption text-muted">
      {costs.some(({ inputTokens }) => inputTokens !== undefined) && (
        <span>
          <span className="num">{formatCredits(total('inputTokens'))}</span> tokens in,{' '}
          <span className="num">{formatCredits(total('outputTokens'))}</span> out
          {costs.some(({ estimated }) => estimated) && ', estimated'}
        </span>
      )}
      {last.cost ? (
        <span data-testid="charge" className="text-text">
          <Credits value={charged} className="font-semibold" /> {charged === 1 ? 'credit' : 'credits'}{' '}
          <span className="text-muted">≈ {formatUsd(charged, rate)}</span>
        </span>
      ) : (
        <span>its charge appears in Usage</span>
      )}
      {firstMs !== null && (
        <span>
          first token <span className="num">{formatDuration(firstMs)}</span>
        </span>
      )}
      <span className="num">{formatDuration(ms)}</span>
      {last.requestId && (
        <Link href={`/usage?receipt=${last.requestId}`} prefetch={false} className="text-accent hover:underline">
          Receipt
        </Link>
      )}
      {text && <CopyButton text={text} bare label="Copy response" />}
    </div>
  )
}
