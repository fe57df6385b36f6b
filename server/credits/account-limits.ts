import { prisma, runIn, type Transaction } from '../db'
import { env } from '../env'
import { statement } from '../kit/statement'
import type { DayLimit } from './shape'

/** Of one account, what operators set in place of the settings: null is the setting's default. */
export type AccountLimitChanges = {
  requestsPerMinute?: number | null
  callsInProgress?: number | null
  /** Null: no limit. */
  creditsPerDay?: number | null
}

/** What an account may do over all its keys. `own`: which of it operators have set for it. */
export type AccountLimits = {
  requestsPerMinute: number
  callsInProgress: number
  day: DayLimit | null
  own: { requestsPerMinute: number | null; callsInProgress: number | null }
}

const DAY_MS = 86_400_000

/** The day (UTC) that a moment is in. */
const startOfDay = (at: Date): Date => new Date(Math.floor(at.getTime() / DAY_MS) * DAY_MS)

type DayColumns = { dayCredits: bigint | null; dayStart: Date | null; daySpent: bigint; dayHeld: bigint }

/** A day that is over shows as the one that begins with the next call. */
function viewDay({ dayCredits, dayStart, daySpent, dayHeld }: DayColumns, now: Date): DayLimit | null {
  if (dayCredits === null) return null
  const today = startOfDay(now)
  const [spent, held] = dayStart !== null && dayStart >= today ? [daySpent, dayHeld] : [0n, 0n]
  const left = dayCredits - spent - held
  return {
    credits: Number(dayCredits),
    spent: Number(spent),
    held: Number(held),
    remaining: left < 0n ? 0 : Number(left),
    resetsAt: new Date(today.getTime() + DAY_MS).toISOString(),
  }
}

/** What an account may do now, in every process: the row is read by each call. */
export async function readAccountLimits(ownerId: number): Promise<AccountLimits> {
  const account = await prisma().account.findUnique({ where: { ownerId } })
  const own = { requestsPerMinute: account?.maxRpm ?? null, callsInProgress: account?.maxCalls ?? null }
  return {
    requestsPerMinute: own.requestsPerMinute ?? env().OWNER_RPM,
    callsInProgress: own.callsInProgress ?? env().OWNER_CONCURRENCY,
    day: account && viewDay(account, new Date()),
    own,
  }
}

// Under the lock that every hold and settlement takes: no call is between the sums and the limit.
const LOCK = statement({
  name: 'account_limits_lock',
  sql: 'SELECT a.day_credits IS NOT NULL AS "hasDay" FROM account a WHERE a.owner_id = $1 FOR NO KEY UPDATE',
  params: ['int'],
  columns: { hasDay: 'boolean' },
})

const DAY_USE = statement({
  name: 'account_day_use',
  sql: `SELECT b.begins,
      coalesce((SELECT sum(charged_in_period(r, b.begins, r.charged)) FROM receipt r
        WHERE r.owner_id = $1 AND r.at >= b.begins), 0)::bigint AS spent,
      coalesce((SELECT sum(h.amount) FROM hold h WHERE h.owner_id = $1 AND h.created_at >= b.begins), 0)::bigint AS held
    FROM (SELECT date_trunc('day', clock_timestamp(), 'UTC')) b (begins)`,
  params: ['int'],
  columns: { begins: 'timestamptz', spent: 'bigint', held: 'bigint' },
})

/** The columns of a limit a day. One that begins counts what the day has cost so far. */
async function dayColumns(tx: Transaction, ownerId: number, { credits, hasDay }: { credits: number; hasDay: boolean }) {
  if (hasDay) return { dayCredits: BigInt(credits) }
  const [use] = await runIn(tx, DAY_USE, [ownerId])
  if (!use) throw new Error('a day has no sums')
  const { begins, spent, held } = use
  return { dayCredits: BigInt(credits), dayStart: new Date(begins), daySpent: BigInt(spent), dayHeld: BigInt(held) }
}

const NO_DAY = { dayCredits: null, dayStart: null, daySpent: 0n, dayHeld: 0n }

/**
 * Changes what an account may do, from its next call on. A limit a day may be less than was spent
 * already: then it allows nothing until the day is over. Returns false for an owner without an
 * account.
 */
export async function changeAccountLimits(
  tx: Transaction,
  ownerId: number,
  { requestsPerMinute, callsInProgress, creditsPerDay }: AccountLimitChanges,
): Promise<boolean> {
  const [account] = await runIn(tx, LOCK, [ownerId])
  if (!account) return false
  await tx.account.update({
    where: { ownerId },
    data: {
      maxRpm: requestsPerMinute,
      maxCalls: callsInProgress,
      ...(creditsPerDay === null && NO_DAY),
      ...(creditsPerDay != null && (await dayColumns(tx, ownerId, { credits: creditsPerDay, ...account }))),
    },
  })
  return true
}
