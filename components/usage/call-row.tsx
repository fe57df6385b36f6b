import type { CallReceipt as ReceiptShape } from '@/server/credits/shape'
import { Credits } from '../ui/amount'
import { cn } from '../ui/cn'
import { formatDuration } from '../ui/format-time'
import { coversRow, Row, STAYS_IN_SIGHT, Td } from '../ui/table'
import { TimeAgo } from '../ui/time-ago'
import { ReceiptStatusBadge, receiptDurationMs } from './receipt-labels'

type Props = {
  of: ReceiptShape
  onShow: () => void
  isShown: boolean
  /** Without the column of the key. */
  ofOneKey?: boolean
  /** A step below its job's row. */
  isStep?: boolean
}

/** A call as a row; it opens its receipt. */
export const CallRow = ({ of, onShow, isShown, ofOneKey = false, isStep = false }: Props) => (
  <Row className={isShown ? 'bg-accent-weak' : undefined}>
    <Td className={cn('text-muted', isStep && 'pl-8')}>
      <TimeAgo at={of.at} />
    </Td>
    <Td className="max-w-72">
      <button
        type="button"
        data-row-go
        onClick={onShow}
        className={cn('num max-w-full truncate text-left align-bottom focus-visible:outline-none', coversRow)}
      >
        {of.what}
      </button>
      {of.status !== 'ok' && (
        <span className="ml-2 lg:hidden">
          <ReceiptStatusBadge of={of} />
        </span>
      )}
    </Td>
    {!ofOneKey && (
      <Td wide className="max-w-48 truncate">
        {of.keyName ?? <span className="text-muted">Dashboard</span>}
      </Td>
    )}
    <Td wide>
      <ReceiptStatusBadge of={of} />
    </Td>
    <Td wide right className="num text-muted">
      {formatDuration(receiptDurationMs(of))}
    </Td>
    <Td right className={STAYS_IN_SIGHT}>
      <Credits value={of.credits.charged} className={of.credits.charged === 0 ? 'text-muted' : undefined} />
    </Td>
  </Row>
)
