import { z } from 'zod'
import { inAct, prisma, runStatement } from '../db'
import { invalidRequest } from '../errors'
import { statement } from '../kit/statement'
import { isTimeZone } from '../kit/time-zone'

/** An IANA time zone that this runtime knows. */
export const TimeZone = z.string().max(64).refine(isTimeZone, 'must be a time zone, such as Europe/Berlin')

/** The time zone in which an owner's days begin. */
export async function getTimeZone(ownerId: number): Promise<string> {
  return (await prisma().owner.findUniqueOrThrow({ where: { id: ownerId }, select: { timeZone: true } })).timeZone
}

const KNOWN_ZONE = statement({
  name: 'time_zone_known',
  sql: 'SELECT EXISTS (SELECT 1 FROM pg_timezone_names WHERE name = $1) AS known',
  params: ['text'],
  columns: { known: 'boolean' },
})

/**
 * Periods that have begun end as they would have; the next ones begin in the new zone, which the
 * database must know, too. Throws `invalid_request`.
 */
export async function setTimeZone(ownerId: number, timeZone: string): Promise<void> {
  const [row] = await runStatement(KNOWN_ZONE, [timeZone])
  if (!row?.known) throw invalidRequest([{ path: ['timeZone'], message: `"${timeZone}" is not a time zone` }])
  await inAct((tx) => tx.owner.update({ where: { id: ownerId }, data: { timeZone } }))
}
