import { describe, expect, it } from 'vitest'
import { cronInWords, cronOf, NINE_DAILY, presetOf } from './preset'

describe('a cron expression', () => {
  it.each([
    ['0 * * * *', 'Every hour at minute 0'],
    ['5 9 * * *', 'Every day at 09:05'],
    ['30 18 * * 1-5', 'Monday to Friday at 18:30'],
    ['0 9 * * 0', 'Every Sunday at 09:00'],
    ['0 0 31 * *', 'Every month on day 31 at 00:00'],
    ['*/15 8-18 * * 1,3', '*/15 8-18 * * 1,3'],
    ['0 9 1 1 *', '0 9 1 1 *'],
    ['@daily', '@daily'],
    ['0 9 * * 7', '0 9 * * 7'],
  ])('%s is "%s", and is kept as it is by the form', (cron, words) => {
    expect(cronInWords(cron)).toBe(words)
    expect(cronOf(presetOf(cron))).toBe(cron)
  })

  it('is empty while the time is incomplete', () => {
    expect(cronOf({ ...NINE_DAILY, time: '' })).toBe('')
  })
})
