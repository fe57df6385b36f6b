import type { ScheduleRun } from './shape'

/** The checks of a run, whatever came of them. */
export const checksOf = ({ passed, failed, errors, untested }: NonNullable<ScheduleRun['checks']>): number =>
  passed + failed + errors + untested

/** How many checks of a run passed, in words; null: it had none. */
export const scoreText = ({ checks }: ScheduleRun): string | null =>
  checks ? `${checks.passed} of ${checksOf(checks)}` : null
