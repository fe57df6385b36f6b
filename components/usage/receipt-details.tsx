import Link from 'next/link'
import type { ReactNode } from 'react'
import type { CallReceipt as ReceiptShape } from '@/server/credits/shape'
import { Credits, formatCredits, Usd } from '../ui/amount'
import { ShortId } from '../ui/copy'
import { formatDuration } from '../ui/format-time'
import { Facts, Notice } from '../ui/page'
import { ExactTime } from '../ui/time-ago'
import { ReceiptJob } from './receipt-job'
import { CHANNEL_LABELS, describeOutcome, ReceiptStatusBadge, receiptDurationMs } from './receipt-labels'

const LINK = 'text-accent underline underline-offset-2'

const Line = ({ name, children, strong }: { name: string; children: ReactNode; strong?: boolean }) => (
  <div
    className={`flex items-baseline justify-between gap-4 py-1.5 ${strong ? 'border-t border-line-strong font-semibold' : ''}`}
  >
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

type FactRow = [name: string, value: ReactNode]

type Detail = ReceiptShape['detail']

const tokens = (n: number, price: number | undefined) => (
  <span className="num">
    {formatCredits(n)}
    {price !== undefined && ` × ${formatCredits(price)} per 1M`}
  </span>
)

const providersCost = (costUsd: number, { creditsPerUsd, markup }: Detail) => (
  <span className="num">
    ${costUsd}
    {creditsPerUsd !== undefined && ` × ${formatCredits(creditsPerUsd)}`}
    {markup !== undefined && ` × ${markup}`}
  </span>
)

const plainInput = ({ inputTokens = 0, cachedInputTokens = 0, cacheWriteTokens = 0 }: Detail): number =>
  inputTokens - cachedInputTokens - cacheWriteTokens

/** What a field is called, and how it is shown; `false` and `0`: not at all. */
type DetailRow<V> = readonly [label: string, show: (value: V, detail: Detail) => ReactNode]

/** How each field of the detail is shown, in their order; null: in the row of another. */
const DETAIL_ROWS: { readonly [Name in keyof Required<Detail>]: DetailRow<NonNullable<Detail[Name]>> | null } = {
  inputTokens: ['Tokens in', (_, detail) => tokens(plainInput(detail), detail.creditsPer1mInput)],
  cachedInputTokens: ['Tokens in, cached', (n, detail) => n && tokens(n, detail.creditsPer1mCachedInput)],
  cacheWriteTokens: ['Tokens in, written to the cache', (n, detail) => n && tokens(n, detail.creditsPer1mCacheWrite)],
  outputTokens: ['Tokens out', (n, detail) => tokens(n, detail.creditsPer1mOutput)],
  costUsd: ['Provider’s cost', providersCost],
  estimated: ['Usage', (isEstimated) => isEstimated && 'Estimated: the provider reported none'],
  firstTokenMs: ['First token after', (ms) => formatDuration(ms)],
  loss: ['Not charged', (credits) => credits && `${formatCredits(credits)} credits, paid by the operator`],
  creditsPer1mInput: null,
  creditsPer1mCachedInput: null,
  creditsPer1mCacheWrite: null,
  creditsPer1mOutput: null,
  creditsPerUsd: null,
  markup: null,
  durationMs: null,
  error: null,
  refunded: null,
}

/** How the charge was computed. */
function calculationRows({ detail, credits, status }: ReceiptShape): FactRow[] {
  const rows = (Object.keys(DETAIL_ROWS) as (keyof Detail)[]).flatMap((name): FactRow[] => {
    const row = DETAIL_ROWS[name] as DetailRow<unknown> | null
    const shown = row && detail[name] !== undefined && row[1](detail[name], detail)
    return row && shown ? [[row[0], shown]] : []
  })
  const isFixed =
    status !== 'void' &&
    credits.held === credits.charged + (detail.refunded ?? 0) &&
    detail.costUsd === undefined &&
    detail.inputTokens === undefined
  return isFixed ? [...rows, ['Pricing', 'Fixed price']] : rows
}

const ChargeLines = ({ of: { credits, detail } }: { of: ReceiptShape }) => (
  <dl className="rounded border px-4 py-2">
    <Line name="Reserved before the call">
      <Credits value={credits.held} />
    </Line>
    <Line name="Released after it">
      <Credits value={-credits.released} />
    </Line>
    {detail.refunded !== undefined && (
      <Line name="Refunded">
        <Credits value={-detail.refunded} />
      </Line>
    )}
    <Line name="Charged" strong>
      <Credits value={credits.charged} unit />
    </Line>
  </dl>
)

/** Everything about one call: what was charged first, then how it came about. */
export function ReceiptDetails({ of, creditsPerUsd }: { of: ReceiptShape; creditsPerUsd: number }) {
  const { credits, detail } = of
  return (
    <div className="grid gap-5">
      <div>
        <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
          <span className="text-title font-semibold">
            <Credits value={credits.charged} unit />
          </span>
          <Usd credits={credits.charged} rate={creditsPerUsd} className="text-caption" />
        </p>
        <p className="mt-1 text-muted">
          <ReceiptStatusBadge of={of} /> {describeOutcome(of).meaning}
        </p>
      </div>
      {detail.error && <Notice tone="bad">{detail.error}</Notice>}
      <ChargeLines of={of} />
      <Facts
        rows={[
          ...calculationRows(of),
          [
            of.product === 'tool' ? 'Tool' : 'Model or tool',
            <Link key="what" href={`/usage?what=${encodeURIComponent(of.what)}`} className={`num ${LINK}`}>
              {of.what}
            </Link>,
          ],
          [
            'Key',
            of.keyId === null ? (
              'None (dashboard)'
            ) : (
              <Link key="key" href={`/keys/${of.keyId}`} className={LINK}>
                {of.keyName ?? `key ${of.keyId}`}
              </Link>
            ),
          ],
          ...(of.customer === null
            ? []
            : [
                [
                  'Customer',
                  <Link key="customer" href={`/usage?customer=${encodeURIComponent(of.customer)}`} className={LINK}>
                    <bdi>{of.customer}</bdi>
                  </Link>,
                ] as const,
              ]),
          ...(of.jobId === null
            ? []
            : [['Job', <ReceiptJob key="job" requestId={of.requestId} jobId={of.jobId} />] as const]),
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
