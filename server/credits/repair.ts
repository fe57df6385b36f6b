import { runRead, runStatement } from '../db'
import { statement } from '../kit/statement'
import { checkedOwners, checkOwners } from './verify'
import type { LedgerDifference } from './verify-checks'
import { isChained } from './verify-slices'

const BALANCES = statement({
  name: 'credits_repair',
  sql: 'SELECT credits_repair($1)',
  params: ['int'],
  columns: { credits_repair: 'void' },
})
const SUMS_OF_DAY = statement({
  name: 'usage_repair',
  sql: 'SELECT usage_repair($1, $2)',
  params: ['int', 'date'],
  columns: { usage_repair: 'void' },
})

/** The days whose sums follow from receipts that are kept. */
const DAYS = statement({
  name: 'usage_repair_days',
  sql: `SELECT to_char(d, 'YYYY-MM-DD') AS day FROM (SELECT
      greatest(min(day), (coalesce((SELECT cutoff FROM retention WHERE name = 'receipts'), '-infinity') AT TIME ZONE 'UTC')::date)
        AS first, max(day) AS last FROM (
      SELECT day FROM usage_key_day WHERE owner_id = $1
      UNION ALL SELECT (hour AT TIME ZONE 'UTC')::date FROM usage_hour WHERE owner_id = $1
      UNION ALL SELECT (min(at) AT TIME ZONE 'UTC')::date FROM receipt WHERE owner_id = $1
      UNION ALL SELECT (max(at) AT TIME ZONE 'UTC')::date FROM receipt WHERE owner_id = $1) x) e,
    generate_series(e.first::timestamp, e.last::timestamp, interval '1 day') d`,
  params: ['int'],
  columns: { day: 'text' },
})

const nameOf = ({ what, id }: LedgerDifference) => `${what} ${id}`

async function repairOwner(ownerId: number): Promise<void> {
  for (const { day } of await runRead(DAYS, [ownerId])) await runStatement(SUMS_OF_DAY, [ownerId, day])
  if (await isChained(ownerId)) await runStatement(BALANCES, [ownerId])
}

/** What `ledger verify` found and finds no more, and what it still finds. */
export type LedgerRepair = { repaired: LedgerDifference[]; left: LedgerDifference[] }

/**
 * Makes what is derived anew, of owners where `ledger verify` finds a difference: sums of usage
 * from receipts; balances, what is held, and what keys and conversations spent from ledger,
 * receipts and holds, where the ledger's chain shows that it is as it was written. Ledger, receipts
 * and steps themselves are never changed.
 */
export async function repairLedger(): Promise<LedgerRepair> {
  const repair: LedgerRepair = { repaired: [], left: [] }
  for await (const { owners, found } of checkedOwners()) {
    if (found.length === 0) continue
    for (const owner of owners) await repairOwner(owner.id)
    const left = await checkOwners(owners)
    const names = new Set(left.map(nameOf))
    repair.left.push(...left)
    repair.repaired.push(...found.filter((difference) => !names.has(nameOf(difference))))
  }
  return repair
}
