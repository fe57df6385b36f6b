import { RangeBar } from '../ui/range-bar'
import { rangeOf, type UsageFilters } from './filters'
import { RANGE_LABELS } from './usage-labels'

const PRESETS = Object.entries(RANGE_LABELS)

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
