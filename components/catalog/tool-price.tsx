import { Credits, formatUsd } from '../ui/amount'
import { Badge } from '../ui/badge'
import type { ToolDetails } from './shape'

type Props = { of: Pick<ToolDetails, 'credits'>; rate: number }

/** The price of a call: fixed, with its dollars, or metered. */
export const ToolPrice = ({ of: { credits }, rate }: Props) =>
  credits === null ? (
    <Badge>metered</Badge>
  ) : (
    <span className="whitespace-nowrap">
      <Credits value={credits} /> {credits === 1 ? 'credit' : 'credits'}{' '}
      <span className="text-caption text-muted">≈ {formatUsd(credits, rate)}</span>
    </span>
  )

/** How a metered tool is charged, in a sentence; null for a fixed price. */
export const describeMeteredPrice = ({ credits }: Pick<ToolDetails, 'credits'>): string | null =>
  credits === null ? 'The provider’s real cost plus the markup. The highest possible cost is held while it runs.' : null
