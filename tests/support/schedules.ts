import { prisma } from '../../server/db'
import { scriptedGoal } from './agent'
import { send, type TestResponse } from './api'

export const SCHEDULES = '/api/v1/agent/schedules'

/** Makes a schedule over REST; by default it is due once a year, and its runs end at once. */
export const makeSchedule = (key: string, fields: object = {}): Promise<TestResponse> =>
  send(SCHEDULES, {
    key,
    body: { cron: '0 9 1 1 *', timeZone: 'UTC', goal: scriptedGoal({ text: 'Done.' }), ...fields },
  })

/** Makes a schedule and returns its id. */
export const makeScheduleId = async (key: string, fields?: object): Promise<string> =>
  String((await makeSchedule(key, fields)).body.scheduleId)

/** Makes a schedule due, as the passing of time does. Returns the time. */
export async function makeDue(id: string, minutesAgo = 1): Promise<Date> {
  const nextAt = new Date(Date.now() - minutesAgo * 60_000)
  await prisma().schedule.update({ where: { id }, data: { nextAt } })
  return nextAt
}

/** A schedule's runs, newest first. */
export async function readScheduleRuns(key: string, id: string): Promise<Record<string, unknown>[]> {
  const { body } = await send(`${SCHEDULES}/${id}/runs`, { key })
  return body.runs as Record<string, unknown>[]
}
