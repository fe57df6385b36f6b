import { ValueChart } from '../charts/value-chart'
import { formatExactTime } from '../ui/format-time'
import { checksOf } from './score-text'
import type { ScheduleRun } from './shape'

type Props = { runs: readonly ScheduleRun[]; timeZone: string }

const HAS_ENDED: ReadonlySet<string> = new Set(['completed', 'failed'])

/** The share of checks that passed and the credits of each run, oldest first. */
export function ScheduleScores({ runs, timeZone }: Props) {
  const scored = runs.filter(({ checks, state }) => checks && HAS_ENDED.has(state)).toReversed()
  if (scored.length === 0) return null
  const rows = (value: (run: ScheduleRun) => number) =>
    scored.map((run, id) => ({ id, label: formatExactTime(run.dueAt, timeZone).slice(0, 16), value: value(run) }))
  const share = ({ checks }: ScheduleRun) => (checks ? Math.round((checks.passed * 100) / checksOf(checks)) : 0)
  const type = scored.length > 1 ? 'line' : 'bar'
  return (
    <div className="grid gap-x-4 md:grid-cols-2">
      <ValueChart chart={{ type, title: 'Checks passed', unit: '%', rows: rows(share) }} />
      <ValueChart chart={{ type, title: 'Cost', unit: 'credits', rows: rows((run) => run.creditsSpent ?? 0) }} />
    </div>
  )
}
