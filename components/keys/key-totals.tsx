import type { FoundKeys } from '@/server/keys/shape'
import { Credits, formatCredits, Usd } from '../ui/amount'

type Props = { totals: FoundKeys['totals']; filtered: boolean; creditsPerUsd: number }

/** How many keys match, what they have spent in all, and what they hold now. */
export const KeyTotals = ({ totals: { count, spent, held }, filtered, creditsPerUsd }: Props) => (
  <p data-testid="totals" className="mb-2 flex flex-wrap gap-x-4 gap-y-1 text-table">
    <span>
      <span className="num font-medium">{formatCredits(count)}</span> {filtered && 'matching '}
      {count === 1 ? 'key' : 'keys'}
    </span>
    <span>
      <Credits value={spent} className="font-medium" /> credits spent{' '}
      <Usd credits={spent} rate={creditsPerUsd} className="text-caption" />
    </span>
    <span>
      <Credits value={held} className="font-medium" /> reserved
    </span>
  </p>
)
