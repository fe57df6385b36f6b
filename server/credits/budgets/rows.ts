import { prisma, runIn, type Transaction } from '../../db'
import { AppError } from '../../errors'
import { statement } from '../../kit/statement'
import type { Budget, BudgetOfCustomer } from './shape'
import { BudgetScope, type BudgetWindow } from './shape'

/** The same error for a budget that does not exist and for another account's. */
export const budgetNotFound = (): AppError => new AppError('not_found', 'There is no such budget.')

// The order of locks is that of every hold: limits, then the account.
const LOCK = statement({
  name: 'budget_lock',
  sql: `SELECT s.id FROM spend_limit s WHERE s.budget_id = $1::uuid AND s.owner_id = $2::int ORDER BY s.id FOR NO KEY UPDATE`,
  params: ['uuid', 'int'],
  columns: { id: 'uuid' },
})
const CHANGED = statement({
  name: 'budgets_changed',
  sql: 'UPDATE account SET budgets_version = budgets_version + 1 WHERE owner_id = $1::int RETURNING budgets_version AS version',
  params: ['int'],
  columns: { version: 'int' },
})

/** Locks what an account's budget has counted: no call is between its sums and a change. */
export const lockBudget = (tx: Transaction, ownerId: number, id: string) => runIn(tx, LOCK, [id, ownerId])

/** Makes every process read the account's budgets again before its next hold. */
export async function budgetsChanged(tx: Transaction, ownerId: number): Promise<void> {
  const [row] = await runIn(tx, CHANGED, [ownerId])
  if (!row) throw new Error(`owner ${ownerId} has no account`)
}

/** The column of a window. */
export const periodOf = (window: BudgetWindow) => (window === 'lifetime' ? null : window)

const budgetRelations = { limits: { where: { customerId: null } } } as const

type LimitRow = { spent: bigint; held: bigint; endsAt: Date | null }
type BudgetRow = NonNullable<Awaited<ReturnType<typeof findRow>>>

export const findRow = (ownerId: number, where: { id: string } | { externalId: string }, tx?: Transaction) =>
  (tx ?? prisma()).budget.findFirst({ where: { ...where, ownerId, deletedAt: null }, include: budgetRelations })

/** What a row shows: a window that is over shows as the one that the next call begins. */
function viewUse({ spent, held, endsAt }: LimitRow, next: Date | null, now = new Date()) {
  const isPast = endsAt !== null && endsAt <= now
  return {
    spent: isPast ? 0 : Number(spent),
    held: isPast ? 0 : Number(held),
    resetsAt: ((isPast ? next : endsAt) ?? endsAt)?.toISOString() ?? null,
  }
}

const WINDOW = statement({
  name: 'budget_window',
  sql: `SELECT w.begins, w.ends FROM owner o, LATERAL budget_period($2, o.time_zone, clock_timestamp()) w WHERE o.id = $1::int`,
  params: ['int', 'text'],
  columns: { begins: 'timestamptz?', ends: 'timestamptz?' },
})

/** The present window of an account, as columns of a limit. */
export async function windowColumns(tx: Transaction, ownerId: number, window: BudgetWindow) {
  const period = periodOf(window)
  if (period === null) return { startsAt: null, endsAt: null }
  const [row] = await runIn(tx, WINDOW, [ownerId, period])
  if (!row?.begins || !row.ends) throw new Error(`there is no owner ${ownerId}`)
  return { startsAt: new Date(row.begins), endsAt: new Date(row.ends) }
}

const SUMS = statement({
  name: 'budget_customers_sum',
  sql: `SELECT coalesce(sum(s.spent), 0)::bigint AS spent, coalesce(sum(s.held), 0)::bigint AS held, max(s.ends_at) AS ends
    FROM spend_limit s WHERE s.budget_id = $1::uuid AND s.owner_id = $2::int AND s.customer_id IS NOT NULL
      AND (s.ends_at IS NULL OR s.ends_at > clock_timestamp())`,
  params: ['uuid', 'int'],
  columns: { spent: 'bigint', held: 'bigint', ends: 'timestamptz?' },
})

/** A budget as its account sees it. */
export async function viewBudget(tx: Transaction, row: BudgetRow): Promise<Budget> {
  const scope = BudgetScope.parse(row.scope)
  const window = (row.period ?? 'lifetime') as BudgetWindow
  const { endsAt } = await windowColumns(tx, row.ownerId, window)
  const [sums] = scope.customers === 'each' ? await runIn(tx, SUMS, [row.id, row.ownerId]) : []
  const own = row.limits[0] ?? { spent: 0n, held: 0n, endsAt: null }
  const use = sums
    ? viewUse({ spent: BigInt(sums.spent), held: BigInt(sums.held), endsAt }, endsAt)
    : viewUse(own, endsAt)
  return {
    ...{ id: row.id, name: row.name, externalId: row.externalId, credits: Number(row.credits), window, scope },
    ...{ alertAt: row.alertAt, ...use, createdAt: row.createdAt.toISOString() },
  }
}

/** What customers have used of a budget that counts each, by id; `cursor` is the last one's id. */
export async function listBudgetCustomers(
  ownerId: number,
  id: string,
  { limit, cursor }: { limit: number; cursor: number | null },
): Promise<{ rows: BudgetOfCustomer[]; nextCursor: number | null }> {
  const found = await prisma().spendLimit.findMany({
    where: { ownerId, budgetId: id, customerId: { gt: cursor ?? 0 } },
    orderBy: { customerId: 'asc' },
    take: limit + 1,
  })
  const rows = found.slice(0, limit).map((row) => ({ customerId: row.customerId ?? 0, ...viewUse(row, null) }))
  return { rows, nextCursor: found.length > limit ? (rows.at(-1)?.customerId ?? null) : null }
}
