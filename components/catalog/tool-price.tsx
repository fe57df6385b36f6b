import { Credits, formatUsd } from '../ui/amount'
import { Badge } from '../ui/badge'
import type { ToolDetails } from './shape'

type Props = { of: Pick<ToolDetails, 'credits'>; rate: number }

/** What one call costs: a fixed price with its dollars, or that it is metered. */
export const ToolPrice = ({ of: { credits }, rate }: Props) =>
  credits === null ? (
    <Badge>metered</Badge>
  ) : (
    <span className="whitespace-nowrap">
      <Credits value={credits} /> {credits === 1 ? 'credit' : 'credits'}{' '}
      <span className="text-caption text-muted">≈ {formatUsd(credits, rate)}</span>
    </span>
  )

/** The same in a sentence, before a call is made. */
export const describeMeteredPrice = ({ credits }: Pick<ToolDetails, 'credits'>): string | null =>
  credits === null ? 'The provider’s real cost plus the markup; the most it can cost is held while it runs.' : null
