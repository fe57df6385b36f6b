import { runRead } from '../db'
import type { ReadOptions } from '../kit/pg-read'
import { statement } from '../kit/statement'
import type { AccountStatement, StatementLine } from './shape'
import { localDayOf, plusDays } from './usage-range'
import { sumUsage } from './usage-sums'

/** Days of one page. */
const PAGE_DAYS = 31

const ENTRIES = statement({
  name: 'statement_entries',
  sql: `SELECT e.id::text, e.at, to_char(e.at AT TIME ZONE $3, 'YYYY-MM-DD') AS day, e.amount, e.note, e.hold_id AS request_id
    FROM ledger e WHERE e.owner_id = $1 AND (e.hold_id IS NULL OR e.amount > 0) AND e.at >= $2::text::date::timestamp AT TIME ZONE $3
    ORDER BY e.at DESC, e.id DESC`,
  params: ['int', 'text', 'text'],
  columns: { id: 'text', at: 'timestamptz', day: 'text', amount: 'bigint', note: 'text?', request_id: 'uuid?' },
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
  /** The last page's `nextCursor`: its day, and all before it. */
  upTo?: string
}

/** The days of a page. */
async function pageDays(ownerId: number, { timeZone, month, upTo }: Asked, today: string, options?: ReadOptions) {
  if (!month) {
    const to = upTo ?? (await dayBefore(ownerId, plusDays(today, 1), timeZone, options)) ?? today
    return { from: plusDays(to, 1 - PAGE_DAYS), to }
  }
  const last = plusDays(`${plusDays(`${month}-01`, 31).slice(0, 7)}-01`, -1)
  return { from: `${month}-01`, to: last < today ? last : today }
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
  const since = [ownerId, from, timeZone] as const
  const [[now], entries, charges, older] = await Promise.all([
    runRead(NOW, [ownerId], options),
    runRead(ENTRIES, since, options),
    chargesPerDay(ownerId, { from, to: today, timeZone }, options),
    month ? null : dayBefore(ownerId, from, timeZone, options),
  ])
  let balance = Number(now?.balance ?? 0)
  const lines: StatementLine[] = []
  const add = (line: Omit<StatementLine, 'balance'>) => {
    if (line.day <= to) lines.push({ ...line, balance })
    balance -= line.amount
  }
  for (const { day, calls, amount } of charges.reverse()) {
    if (amount > 0)
      add({ id: day, kind: 'charges', day, at: null, amount: -amount, calls, note: null, requestId: null })
    for (const entry of entries.filter((one) => one.day === day)) {
      const credits = Number(entry.amount)
      const kind = entry.request_id !== null ? 'refund' : credits > 0 ? 'grant' : 'correction'
      const { id, note, request_id: requestId } = entry
      add({ id, kind, day, at: entry.at.toISOString(), amount: credits, calls: 0, note, requestId })
    }
  }
  return { lines, nextCursor: older }
}
