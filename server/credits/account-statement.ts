import { runRead } from '../db'
import type { ReadOptions } from '../kit/pg-read'
import { statement } from '../kit/statement'
import type { AccountStatement, StatementLine } from './shape'
import { localDayOf, plusDays } from './usage-range'
import { sumUsage } from './usage-sums'

/** Days of one page, and what it has at most besides the charges of each. */
const PAGE_DAYS = 31
const PAGE_ENTRIES = 200

// Of the owner $1 what is not a charge: up to the day $2 in the zone $3, older than the entry $4.
const NO_CHARGES = 'e.owner_id = $1 AND (e.hold_id IS NULL OR e.amount > 0)'
const AFTER_DAY = `e.at >= ($2::text::date + 1)::timestamp AT TIME ZONE $3`
const ENTRY = '(SELECT l.at, l.id FROM ledger l WHERE l.owner_id = $1 AND l.id = $4)'

const ENTRIES = statement({
  name: 'statement_entries',
  sql: `SELECT e.id::text, e.at, to_char(e.at AT TIME ZONE $3, 'YYYY-MM-DD') AS day, e.amount, e.note, e.hold_id AS request_id
    FROM ledger e WHERE ${NO_CHARGES} AND NOT ${AFTER_DAY} AND ($4::bigint IS NULL OR (e.at, e.id) < ${ENTRY})
      AND e.at >= $5::text::date::timestamp AT TIME ZONE $3
    ORDER BY e.at DESC, e.id DESC LIMIT $6`,
  params: ['int', 'text', 'text', 'bigint', 'text', 'bigint'],
  columns: { id: 'text', at: 'timestamptz', day: 'text', amount: 'bigint', note: 'text?', request_id: 'uuid?' },
})

const NEWER_ENTRIES = statement({
  name: 'statement_newer_entries',
  sql: `SELECT coalesce(sum(e.amount), 0) AS amount FROM ledger e
    WHERE ${NO_CHARGES} AND (${AFTER_DAY} OR ($4::bigint IS NOT NULL AND (e.at, e.id) >= ${ENTRY}))`,
  params: ['int', 'text', 'text', 'bigint'],
  columns: { amount: 'numeric?' },
})

// What was given back of a day's charges: receipts have what remains.
const REFUNDED = statement({
  name: 'statement_refunded',
  sql: `SELECT to_char(c.at AT TIME ZONE $3, 'YYYY-MM-DD') AS day, sum(e.amount) AS amount
    FROM ledger e JOIN ledger c ON c.hold_id = e.hold_id AND c.amount < 0
    WHERE e.owner_id = $1 AND e.hold_id IS NOT NULL AND e.amount > 0 AND e.at >= $2::text::date::timestamp AT TIME ZONE $3
    GROUP BY 1`,
  params: ['int', 'text', 'text'],
  columns: { day: 'text', amount: 'numeric' },
})

const NOW = statement({
  name: 'statement_now',
  sql: `SELECT coalesce((SELECT available + held FROM account WHERE owner_id = $1), 0) AS balance`,
  params: ['int'],
  columns: { balance: 'bigint' },
})

const OLDER = statement({
  name: 'statement_older',
  sql: `SELECT to_char(max(at) AT TIME ZONE $3, 'YYYY-MM-DD') AS day FROM ledger
    WHERE owner_id = $1 AND at < $2::text::date::timestamp AT TIME ZONE $3`,
  params: ['int', 'text', 'text'],
  columns: { day: 'text?' },
})

/** The last day before `day` on which the balance changed; null: it never had. */
async function dayBefore(
  ownerId: number,
  day: string,
  timeZone: string,
  options?: ReadOptions,
): Promise<string | null> {
  return (await runRead(OLDER, [ownerId, day, timeZone], options))[0]?.day ?? null
}

/** Credits charged per day from `from` on, before refunds, and how many calls there were. */
async function chargesPerDay(
  ownerId: number,
  days: { from: string; to: string; timeZone: string },
  options?: ReadOptions,
) {
  const { from, to, timeZone } = days
  const begins: string[] = []
  for (let day = from; day <= to; day = plusDays(day, 1)) begins.push(`${day}T00:00`)
  const buckets = { unit: 'day' as const, begins, end: `${plusDays(to, 1)}T00:00` }
  const [sums, refunded] = await Promise.all([
    sumUsage({ ownerId, filter: { timeZone }, group: 'nothing', keys: null, buckets }, options),
    runRead(REFUNDED, [ownerId, from, timeZone], options),
  ])
  const charged = new Map(sums.map((sum) => [begins[sum.bucket]?.slice(0, 10) ?? '', sum]))
  const back = new Map(refunded.map(({ day, amount }) => [day, Number(amount)]))
  return begins
    .map((begin) => begin.slice(0, 10))
    .map((day) => ({
      day,
      calls: charged.get(day)?.calls ?? 0,
      amount: (charged.get(day)?.charged ?? 0) + (back.get(day) ?? 0),
    }))
}

type Asked = {
  timeZone: string
  /** A month, YYYY-MM: its days only. Otherwise some weeks up to `before`. */
  month?: string
  /** The last page's `nextCursor`: its day, or what is older than its entry, and all before it. */
  upTo?: string
}

/** The position that a cursor is: a day, and the entry of it that a page ended with. */
function positionOf(cursor: string | undefined): { day?: string; entry: bigint | null } {
  const [day, entry] = cursor?.split('.') ?? []
  return { day, entry: entry === undefined ? null : BigInt(entry) }
}

/** The days of a page. */
async function pageDays(ownerId: number, { timeZone, month, upTo }: Asked, today: string, options?: ReadOptions) {
  const { day } = positionOf(upTo)
  if (!month) {
    const to = day ?? (await dayBefore(ownerId, plusDays(today, 1), timeZone, options)) ?? today
    return { from: plusDays(to, 1 - PAGE_DAYS), to }
  }
  const last = plusDays(`${plusDays(`${month}-01`, 31).slice(0, 7)}-01`, -1)
  const to = [last, today, ...(day ? [day] : [])].sort()[0] ?? last
  return { from: `${month}-01`, to }
}

/**
 * What changed an owner's balance, newest first: the charges of a day as one line, everything else
 * line by line, each with the balance after it. A day's charges come after its other lines.
 */
export async function readAccountStatement(
  ownerId: number,
  asked: Asked,
  options?: ReadOptions,
): Promise<AccountStatement> {
  const { timeZone, month } = asked
  const today = localDayOf(timeZone)
  const { from, to } = await pageDays(ownerId, asked, today, options)
  if (from > to) return { lines: [], nextCursor: null }
  const { entry: after } = positionOf(asked.upTo)
  const newer = [ownerId, to, timeZone, after] as const
  const [[now], [since], found, charges, older] = await Promise.all([
    runRead(NOW, [ownerId], options),
    runRead(NEWER_ENTRIES, newer, options),
    runRead(ENTRIES, [...newer, from, BigInt(PAGE_ENTRIES + 1)], options),
    chargesPerDay(ownerId, { from, to: today, timeZone }, options),
    month ? null : dayBefore(ownerId, from, timeZone, options),
  ])
  const entries = found.slice(0, PAGE_ENTRIES)
  const last = found.length > PAGE_ENTRIES ? entries.at(-1) : undefined
  const byDay = Map.groupBy(entries, ({ day }) => day)
  let balance = Number(now?.balance ?? 0) - Number(since?.amount ?? 0)
  const lines: StatementLine[] = []
  const add = (line: Omit<StatementLine, 'balance'>) => {
    lines.push({ ...line, balance })
    balance -= line.amount
  }
  for (const { day, calls, amount } of charges.reverse()) {
    if (last && day < last.day) break
    // The charges of a day that is continued are on the page before.
    if (day > to || (after !== null && day === to)) balance += amount
    else if (amount > 0)
      add({ id: day, kind: 'charges', day, at: null, amount: -amount, calls, note: null, requestId: null })
    for (const { id, at, amount: given, note, request_id: requestId } of byDay.get(day) ?? []) {
      const credits = Number(given)
      const kind = requestId !== null ? 'refund' : credits > 0 ? 'grant' : 'correction'
      add({ id, kind, day, at: at.toISOString(), amount: credits, calls: 0, note, requestId })
    }
  }
  return { lines, nextCursor: last ? `${last.day}.${last.id}` : older }
}
