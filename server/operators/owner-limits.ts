import { changeAccountLimits, readAccountLimits } from '../credits/account-limits'
import type { DayLimit } from '../credits/shape'
import { afterSlices } from '../credits/slices'
import { inTransaction, runRead } from '../db'
import { AppError, invalidRequest } from '../errors'
import { statement } from '../kit/statement'
import { getOwner } from './find-owner'
import { type Operator, recordAct } from './operator'
import type { OwnerLimitsRequest } from './shape'

/** A limit of this minute or moment, and how much of it is used. */
export type UsedLimit = { most: number; used: number }

/** The same of an owner: a default unless operators have set one for it. */
export type UsedOwnerLimit = UsedLimit & { isDefault: boolean }

/** What an owner may do at once, over all its keys. */
export type OwnerLimits = {
  requestsPerMinute: UsedOwnerLimit
  /** Steps of agent runs do not count. */
  callsInProgress: UsedOwnerLimit
  creditsPerDay: DayLimit | null
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

/** How much of its limits an owner uses now. Throws `not_found`. */
export async function readOwnerLimits(ownerId: number): Promise<OwnerLimits> {
  await getOwner(ownerId)
  const [limits, used, keys] = await Promise.all([
    readAccountLimits(ownerId),
    runRead(USED, [ownerId]),
    runRead(USED_BY_KEY, [ownerId]),
  ])
  const { available = 0, held = 0, calls = 0, requests = 0 } = used[0] ?? {}
  const { own } = limits
  return {
    requestsPerMinute: { most: limits.requestsPerMinute, used: requests, isDefault: own.requestsPerMinute === null },
    callsInProgress: { most: limits.callsInProgress, used: calls, isDefault: own.callsInProgress === null },
    creditsPerDay: limits.day,
    credits: { available: Number(available), held: Number(held) },
    requestsOfKeys: new Map(keys.map((key) => [key.id, key.requests])),
  }
}

/**
 * Sets what an owner may do over all its keys, from its next call on, in every process. Throws
 * `not_found`, `conflict` for an owner without an account, `invalid_request` where nothing is
 * named.
 */
export async function changeOwnerLimits(
  operator: Operator,
  { ownerId, ...changes }: OwnerLimitsRequest,
): Promise<void> {
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
  if (Object.keys(given).length === 0) throw invalidRequest([{ path: [], message: 'Name at least one limit' }])
  await getOwner(ownerId)
  await afterSlices(
    inTransaction(async (tx) => {
      if (!(await changeAccountLimits(tx, ownerId, given))) throw new AppError('conflict', 'This owner has no account.')
      await recordAct(tx, operator, { ownerId, action: 'limits_changed', detail: given })
    }),
  )
}
