import { describe, expect, it } from 'vitest'
import { AppError } from '../../errors'
import { checkTiming, nextTimes } from './cron'

const after = (time: string, cron: string, timeZone: string, count = 3) =>
  nextTimes({ cron, timeZone }, new Date(time), count).map((at) => at.toISOString().slice(0, 16))

const refusal = (cron: string, timeZone = 'UTC') => {
  try {
    checkTiming({ cron, timeZone })
    return null
  } catch (error) {
    return error instanceof AppError ? error.detail.issues : error
  }
}

describe('the next times', () => {
  it('keep the hour of the wall clock when daylight saving begins and ends', () => {
    expect(after('2027-03-27T12:00:00Z', '0 9 * * *', 'Europe/Berlin')).toEqual([
      '2027-03-28T07:00',
      '2027-03-29T07:00',
      '2027-03-30T07:00',
    ])
    expect(after('2027-10-30T12:00:00Z', '0 9 * * *', 'Europe/Berlin', 2)).toEqual([
      '2027-10-31T08:00',
      '2027-11-01T08:00',
    ])
    expect(after('2027-03-12T00:00:00Z', '0 9 * * 1-5', 'America/New_York', 2)).toEqual([
      '2027-03-12T14:00',
      '2027-03-15T13:00',
    ])
  })

  it('come once for an hour that is skipped, as it ends, and once for an hour that repeats', () => {
    expect(after('2027-03-27T12:00:00Z', '30 2 * * *', 'Europe/Berlin', 2)).toEqual([
      '2027-03-28T01:00',
      '2027-03-29T00:30',
    ])
    expect(after('2027-10-30T12:00:00Z', '30 2 * * *', 'Europe/Berlin', 2)).toEqual([
      '2027-10-31T00:30',
      '2027-11-01T01:30',
    ])
  })

  it('come every hour of a day that has 25', () => {
    expect(after('2027-10-30T23:30:00Z', '0 * * * *', 'Europe/Berlin', 4)).toEqual([
      '2027-10-31T00:00',
      '2027-10-31T01:00',
      '2027-10-31T02:00',
      '2027-10-31T03:00',
    ])
  })
})

describe('a timing', () => {
  it('is accepted with names, steps and lists; spaces are made single', () => {
    expect(checkTiming({ cron: ' 0  9 * *  MON-FRI ', timeZone: 'Asia/Tokyo' }).timing.cron).toBe('0 9 * * MON-FRI')
    for (const cron of ['*/15 8-18 * * 1,3,5', '@daily', '0 0 29 2 *', '0 9 L * *']) expect(refusal(cron)).toBeNull()
  })

  it.each([
    ['', 'cron'],
    ['hourly', 'cron'],
    ['* * * *', 'cron'],
    ['* * * * * *', 'cron'],
    ['0 25 * * *', 'cron'],
    ['60 * * * *', 'cron'],
    ['? 9 * * *', 'cron'],
    ['@reboot', 'cron'],
    ['0 0 31 2 *', 'cron'],
    ['2026-12-24T18:00:00', 'cron'],
  ])('"%s" is refused', (cron, field) => {
    expect(refusal(cron)).toMatchObject([{ path: field }])
  })

  it('is refused with a zone that does not exist', () => {
    expect(refusal('0 9 * * *', 'Mars/Olympus')).toMatchObject([{ path: 'timeZone' }])
  })
})
