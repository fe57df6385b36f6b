import type { ReactNode } from 'react'
import { Credits, Usd } from '../ui/amount'
import { ShortId } from '../ui/copy'
import { formatDuration } from '../ui/format-time'
import { Card, Facts, Notice } from '../ui/page'
import { ExactTime } from '../ui/time-ago'
import { CHANNEL_LABELS, ReceiptStatusBadge, receiptDurationMs } from '../usage/receipt-labels'
import type { OperatorRequest } from './views'

/** A request's receipt, as far as it concerns an operator. */
export function RequestFacts({ of: { receipt }, creditsPerUsd }: { of: OperatorRequest; creditsPerUsd: number }) {
  const { credits, detail } = receipt
  const rows: (readonly [string, ReactNode])[] = [
    ['Status', <ReceiptStatusBadge key="s" of={receipt} />],
    ['Reserved', <Credits key="h" value={credits.held} unit />],
    [
      'Charged',
      <span key="c">
        <Credits value={credits.charged} unit />{' '}
        <Usd credits={credits.charged} rate={creditsPerUsd} className="whitespace-normal" />
      </span>,
    ],
    ...(detail.refunded === undefined ? [] : [['Refunded', <Credits key="r" value={detail.refunded} unit />] as const]),
    ...(detail.loss ? [['Paid by the operator', <Credits key="l" value={detail.loss} unit />] as const] : []),
    ...(detail.costUsd === undefined ? [] : [['Provider’s cost', `$${detail.costUsd}`] as const]),
    ['Key', receipt.keyName ?? (receipt.keyId === null ? 'None (dashboard)' : `key ${receipt.keyId}`)],
    ['Channel', CHANNEL_LABELS[receipt.channel]],
    ['Started', <ExactTime key="f" at={receipt.startedAt} />],
    ['Ended', <ExactTime key="t" at={receipt.at} />],
    ['Duration', formatDuration(receiptDurationMs(receipt))],
    ['Request id', <ShortId key="i" id={receipt.requestId} />],
  ]
  return (
    <div className="grid gap-4">
      {detail.error && <Notice tone="bad">{detail.error}</Notice>}
      <Card>
        <Facts rows={rows} />
      </Card>
    </div>
  )
}
