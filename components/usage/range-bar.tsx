import { RangeBar } from '../ui/range-bar'
import { rangeOf, type UsageFilters } from './filters'

const PRESETS = [
  ['today', 'Today'],
  ['7d', '7 days'],
  ['30d', '30 days'],
  ['month', 'This month'],
  ['all', 'All'],
] as const

/** The days that the usage page is about. */
export function UsageRangeBar({ filters, timeZone }: { filters: UsageFilters; timeZone: string }) {
  const now = rangeOf(filters)
  return (
    <RangeBar
      presets={PRESETS}
      now={now === 'own' ? undefined : now}
      from={filters.from}
      to={filters.to}
      timeZone={timeZone}
    />
  )
}
