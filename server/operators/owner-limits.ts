import { runRead } from '../db'
import { env } from '../env'
import { statement } from '../kit/statement'
import { getOwner } from './find-owner'

/** A limit of this minute or moment, and how much of it is used. */
export type UsedLimit = { most: number; used: number }

/** What an owner may do at once, over all its keys. */
export type OwnerLimits = {
  requestsPerMinute: UsedLimit
  /** Steps of agent runs do not count. */
  callsInProgress: UsedLimit
  credits: { available: number; held: number }
  /** Requests of the keys in their current minute, by key; those without any are left out. */
  requestsOfKeys: ReadonlyMap<number, number>
}

/** A window is over a minute after its first request, also where nobody has begun the next. */
const IS_OPEN = `started_at > clock_timestamp() - interval '60 seconds'`

const USED = statement({
  name: 'operators_limits_used',
  sql: `SELECT a.available, a.held, a.calls,
      coalesce((SELECT count FROM rate_window WHERE id = 'owner:' || $1::int AND ${IS_OPEN}), 0) AS requests
    FROM account a WHERE a.owner_id = $1`,
  params: ['int'],
  columns: { available: 'bigint', held: 'bigint', calls: 'int', requests: 'int' },
})

const USED_BY_KEY = statement({
  name: 'operators_limits_used_by_key',
  sql: `SELECT k.id, w.count AS requests FROM "key" k JOIN rate_window w ON w.id = 'key:' || k.id AND w.${IS_OPEN}
    WHERE k.owner_id = $1`,
  params: ['int'],
  columns: { id: 'int', requests: 'int' },
})

/**
 * How much of its limits an owner uses now. They are the same for all owners, those of the settings
 * of this process. Throws `not_found`.
 */
export async function readOwnerLimits(ownerId: number): Promise<OwnerLimits> {
  await getOwner(ownerId)
  const [used, keys] = await Promise.all([runRead(USED, [ownerId]), runRead(USED_BY_KEY, [ownerId])])
  const { available = 0, held = 0, calls = 0, requests = 0 } = used[0] ?? {}
  return {
    requestsPerMinute: { most: env().OWNER_RPM, used: requests },
    callsInProgress: { most: env().OWNER_CONCURRENCY, used: calls },
    credits: { available: Number(available), held: Number(held) },
    requestsOfKeys: new Map(keys.map((key) => [key.id, key.requests])),
  }
}
