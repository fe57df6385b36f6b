import type { ReactNode } from 'react'
import type { CallReceipt as ReceiptShape } from '@/server/credits/shape'
import { Credits, formatCredits, Usd } from '../ui/amount'
import { ShortId } from '../ui/copy'
import { formatDuration } from '../ui/format-time'
import { Facts, Notice } from '../ui/page'
import { ExactTime } from '../ui/time-ago'
import { CHANNEL_LABELS, RECEIPT_STATUS_LABELS, ReceiptStatusBadge, receiptDurationMs } from './receipt-labels'

const Line = ({ name, children, strong }: { name: string; children: ReactNode; strong?: boolean }) => (
  <div
    className={`flex items-baseline justify-between gap-4 py-1.5 ${strong ? 'border-t border-line-strong font-semibold' : ''}`}
  >
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

/** How the charge was computed. */
function calculationRows({ detail, credits }: ReceiptShape): [string, ReactNode][] {
  const { inputTokens, outputTokens, creditsPer1mInput, creditsPer1mOutput, costUsd, creditsPerUsd, markup } = detail
  const { cachedInputTokens, cacheWriteTokens, creditsPer1mCachedInput, creditsPer1mCacheWrite } = detail
  const plainInput = (inputTokens ?? 0) - (cachedInputTokens ?? 0) - (cacheWriteTokens ?? 0)
  const tokens = (n: number, price: number | undefined) => (
    <span className="num">
      {formatCredits(n)}
      {price !== undefined && ` × ${formatCredits(price)} per 1M`}
    </span>
  )
  return [
    ...(inputTokens === undefined ? [] : [['Tokens in', tokens(plainInput, creditsPer1mInput)] as [string, ReactNode]]),
    ...(cachedInputTokens
      ? [['Tokens in, cached', tokens(cachedInputTokens, creditsPer1mCachedInput)] as [string, ReactNode]]
      : []),
    ...(cacheWriteTokens
      ? [['Tokens in, written to the cache', tokens(cacheWriteTokens, creditsPer1mCacheWrite)] as [string, ReactNode]]
      : []),
    ...(outputTokens === undefined
      ? []
      : [['Tokens out', tokens(outputTokens, creditsPer1mOutput)] as [string, ReactNode]]),
    ...(costUsd === undefined
      ? []
      : [
          [
            'Provider’s cost',
            <span key="cost" className="num">
              ${costUsd}
              {creditsPerUsd !== undefined && ` × ${formatCredits(creditsPerUsd)}`}
              {markup !== undefined && ` × ${markup}`}
            </span>,
          ] as [string, ReactNode],
        ]),
    ...(detail.estimated ? [['Usage', 'Estimated: the provider reported none'] as [string, ReactNode]] : []),
    ...(detail.loss
      ? [['Not charged', `${formatCredits(detail.loss)} credits, paid by the operator`] as [string, ReactNode]]
      : []),
    ...(credits.held === credits.charged && detail.costUsd === undefined && inputTokens === undefined
      ? [['Pricing', 'Fixed price'] as [string, ReactNode]]
      : []),
  ]
}

/** Everything about one call. */
export function ReceiptDetails({ of, creditsPerUsd }: { of: ReceiptShape; creditsPerUsd: number }) {
  const { credits, status, detail } = of
  return (
    <div className="grid gap-5">
      {detail.error && <Notice tone="bad">{detail.error}</Notice>}
      <div className="rounded border px-4 py-2">
        <dl>
          <Line name="Reserved">
            <Credits value={credits.held} />
          </Line>
          <Line name="Released">
            <Credits value={-credits.released} />
          </Line>
          <Line name="Charged" strong>
            <Credits value={credits.charged} unit />
          </Line>
        </dl>
        <p className="pb-1 text-right text-caption">
          <Usd credits={credits.charged} rate={creditsPerUsd} />
        </p>
      </div>
      <Facts
        rows={[
          [
            'Status',
            <span key="status">
              <ReceiptStatusBadge status={status} />{' '}
              <span className="text-caption text-muted">{RECEIPT_STATUS_LABELS[status].meaning}</span>
            </span>,
          ],
          ...calculationRows(of),
          [
            of.product === 'tool' ? 'Tool' : 'Model',
            <span key="what" className="num">
              {of.what}
            </span>,
          ],
          ['Key', of.keyName ?? (of.keyId === null ? 'None (dashboard)' : `key ${of.keyId}`)],
          ['Channel', CHANNEL_LABELS[of.channel]],
          ['Started', <ExactTime key="from" at={of.startedAt} />],
          ['Ended', <ExactTime key="to" at={of.at} />],
          [
            'Duration',
            <span key="ms" className="num">
              {formatDuration(receiptDurationMs(of))}
            </span>,
          ],
          ['Request id', <ShortId key="id" id={of.requestId} />],
        ]}
      />
    </div>
  )
}
