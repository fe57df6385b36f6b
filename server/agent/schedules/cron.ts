import { Cron } from 'croner'
import { invalidRequest } from '../../errors'
import { isTimeZone } from '../../kit/time-zone'
import type { Timing } from './shape'

/** How many of a schedule's next times are shown. */
const SHOWN_TIMES = 5

/** Five fields, or a name such as @daily: the package would also take a date. */
const isExpression = (cron: string) => cron.startsWith('@') || cron.split(' ').length === 5

/** The next times of a schedule after `after`, in order; fewer where there are no more. */
export const nextTimes = ({ cron, timeZone }: Timing, after: Date, count = SHOWN_TIMES): Date[] =>
  new Cron(cron, { timezone: timeZone, mode: '5-part' }).nextRuns(count, after)

/** The next time of a schedule after `after`; null when it never runs again. */
export const nextTime = (timing: Timing, after: Date): Date | null => nextTimes(timing, after, 1)[0] ?? null

/**
 * A timing that can be relied on, with its next time. Throws `invalid_request` for an expression or
 * a time zone that is not valid, and for an expression that is never due.
 */
export function checkTiming({ cron, timeZone }: Timing): { timing: Timing; nextAt: Date } {
  const timing = { cron: cron.trim().replace(/\s+/g, ' '), timeZone }
  if (!isTimeZone(timeZone))
    throw invalidRequest([{ path: ['timeZone'], message: `"${timeZone}" is not a time zone, such as Europe/Berlin` }])
  const refuse = (message: string) => invalidRequest([{ path: ['cron'], message }])
  // The package reads it as the time at which it parses the expression.
  if (cron.includes('?')) throw refuse('use * instead of ?')
  let nextAt: Date | null
  try {
    if (!isExpression(timing.cron)) throw new Error('there are not five fields')
    nextAt = nextTime(timing, new Date())
  } catch (error) {
    const why = (error as Error).message.replace(/^CronPattern: /, '')
    throw refuse(`is not a cron expression of five fields, such as "0 9 * * 1-5": ${why}`)
  }
  if (!nextAt) throw refuse('is never due')
  return { timing, nextAt }
}

/** The next times of a timing that is not stored. Throws as `checkTiming` does. */
export function previewTimes(given: Timing): { nextRuns: string[] } {
  const { timing } = checkTiming(given)
  return { nextRuns: nextTimes(timing, new Date()).map((at) => at.toISOString()) }
}
