import { z } from 'zod'
import { inAct, prisma, runStatement } from '../db'
import { invalidRequest } from '../errors'
import { statement } from '../kit/statement'
import { isTimeZone } from '../kit/time-zone'
import { asAudited, type RequestOrigin } from './audit'

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
  await inAct((tx) => tx.owner.update({ where: { id: ownerId }, data: { timeZone, timeZoneChosen: true } }))
}

/** In the first hour of an account nothing has begun in another time zone. */
const NEW_MS = 3_600_000

/**
 * What becomes of the time zone that a browser has: `set`, in the first hour of an account; `ask`,
 * where nobody has chosen one; `kept`, where somebody has. Throws as `setTimeZone` does.
 */
export async function adoptTimeZone(
  { ownerId, email }: { ownerId: number; email: string },
  timeZone: string,
  origin: RequestOrigin,
): Promise<'set' | 'ask' | 'kept'> {
  const owner = await prisma().owner.findUniqueOrThrow({ where: { id: ownerId } })
  if (owner.timeZoneChosen || owner.timeZone !== 'UTC') return 'kept'
  if (Date.now() - owner.createdAt.getTime() > NEW_MS) return 'ask'
  const line = {
    ownerId,
    action: 'settings_changed',
    actor: { kind: 'owner', email },
    detail: { timeZone },
    origin,
  } as const
  await asAudited(line, () => setTimeZone(ownerId, timeZone))
  return 'set'
}
