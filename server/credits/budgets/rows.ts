import { prisma, runIn, type Transaction } from '../../db'
import { AppError, readSortedCursor } from '../../errors'
import { encodeSortedCursor } from '../../kit/cursor'
import { isUuid } from '../../kit/id'
import { statement } from '../../kit/statement'
import type { Budget, BudgetOfCustomer } from './shape'
import { BudgetScope, BudgetWindow } from './shape'

/** The same error for a budget that does not exist and for another account's. */
export const budgetNotFound = (): AppError => new AppError('not_found', 'There is no such budget.')

// The order of locks is that of every hold: limits, then the account. No hold locks the budget.
const LOCK = statement({
  name: 'budget_lock',
  sql: 'SELECT b.id FROM budget b WHERE b.id = $1::uuid AND b.owner_id = $2::int FOR NO KEY UPDATE',
  params: ['uuid', 'int'],
  columns: { id: 'uuid' },
})
const LOCK_LIMITS = statement({
  name: 'budget_limits_lock',
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

/**
 * Locks an account's budget and what it has counted: there is one change at a time, and no call is
 * between its sums and a change.
 */
export async function lockBudget(tx: Transaction, ownerId: number, id: string): Promise<void> {
  if (!isUuid(id)) throw budgetNotFound()
  await runIn(tx, LOCK, [id, ownerId])
  await runIn(tx, LOCK_LIMITS, [id, ownerId])
}

/** Makes every process read the account's budgets again before its next hold. */
export async function budgetsChanged(tx: Transaction, ownerId: number): Promise<void> {
  const [row] = await runIn(tx, CHANGED, [ownerId])
  if (!row) throw new Error(`owner ${ownerId} has no account`)
}

/** The column of a window. */
export const periodOf = (window: BudgetWindow) => (window === 'lifetime' ? null : window)

const windowOf = ({ period }: { period: string | null }) => BudgetWindow.parse(period ?? 'lifetime')

const budgetRelations = { limits: { where: { customerId: null } } } as const

type LimitRow = { spent: bigint; held: bigint; endsAt: Date | null }
type BudgetRow = NonNullable<Awaited<ReturnType<typeof findRow>>>

export const findRow = async (
  ownerId: number,
  where: { id: string } | { externalId: string },
  tx: Transaction = prisma(),
) =>
  'id' in where && !isUuid(where.id)
    ? null
    : tx.budget.findFirst({ where: { ...where, ownerId, deletedAt: null }, include: budgetRelations })

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

/** Budgets that are not deleted, newest first; `tags`: only those of exactly these. */
export const readBudgetRows = (
  ownerId: number,
  { limit, before, tags }: { limit: number; before?: string; tags?: string[] },
) =>
  prisma().budget.findMany({
    where: {
      ...{ ownerId, deletedAt: null },
      ...(before && { id: { lt: before } }),
      ...(tags && { scope: { path: ['tags'], equals: tags } }),
    },
    include: budgetRelations,
    orderBy: { id: 'desc' },
    take: limit,
  })

const SUMS = statement({
  name: 'budget_customers_sum',
  sql: `SELECT s.budget_id AS id, coalesce(sum(s.spent), 0)::bigint AS spent, coalesce(sum(s.held), 0)::bigint AS held
    FROM spend_limit s WHERE s.budget_id = ANY ($1::uuid[]) AND s.owner_id = $2::int AND s.customer_id IS NOT NULL
      AND (s.ends_at IS NULL OR s.ends_at > clock_timestamp()) GROUP BY 1`,
  params: ['uuid[]', 'int'],
  columns: { id: 'uuid?', spent: 'bigint', held: 'bigint' },
})

const NOTHING: LimitRow = { spent: 0n, held: 0n, endsAt: null }

/** When the present windows of an account end, by what they are. */
async function windowEnds(tx: Transaction, ownerId: number, windows: Iterable<BudgetWindow>) {
  const ends = new Map<BudgetWindow, Date | null>()
  for (const window of new Set(windows)) ends.set(window, (await windowColumns(tx, ownerId, window)).endsAt)
  return (window: BudgetWindow) => ends.get(window) ?? null
}

/** Budgets as their account sees them. */
export async function viewBudgets(tx: Transaction, ownerId: number, rows: readonly BudgetRow[]): Promise<Budget[]> {
  const parsed = rows.map((row) => ({ row, scope: BudgetScope.parse(row.scope), window: windowOf(row) }))
  const endOf = await windowEnds(
    tx,
    ownerId,
    parsed.map(({ window }) => window),
  )
  const each = parsed.filter(({ scope }) => scope.customers === 'each').map(({ row }) => row.id)
  const sums = each.length > 0 ? await runIn(tx, SUMS, [each, ownerId]) : []
  const sumOf = new Map(sums.map(({ id, spent, held }) => [id, { spent: BigInt(spent), held: BigInt(held) }]))
  return parsed.map(({ row, scope, window }) => {
    const end = endOf(window)
    const own =
      scope.customers === 'each' ? { ...NOTHING, ...sumOf.get(row.id), endsAt: end } : (row.limits[0] ?? NOTHING)
    return {
      ...{ id: row.id, name: row.name, externalId: row.externalId, credits: Number(row.credits), window, scope },
      ...{ requestsPerMinute: row.rpm, tokensPerMinute: row.tpm },
      ...{ alertAt: row.alertAt, ...viewUse(own, end), createdAt: row.createdAt.toISOString() },
    }
  })
}

/** A budget as its account sees it. */
export async function viewBudget(tx: Transaction, row: BudgetRow): Promise<Budget> {
  const [budget] = await viewBudgets(tx, row.ownerId, [row])
  if (!budget) throw budgetNotFound()
  return budget
}

const isCustomerId = (id: string) => /^\d{1,9}$/.test(id)

/**
 * What customers have used of a budget that counts each, by id. Throws `invalid_request` for an
 * invalid cursor, and `not_found`.
 */
export async function listBudgetCustomers(
  ownerId: number,
  id: string,
  { limit, cursor }: { limit: number; cursor?: string },
): Promise<{ rows: BudgetOfCustomer[]; nextCursor: string | null }> {
  const after = readSortedCursor(cursor, { order: 'customer', values: 'number', isId: isCustomerId })
  const budget = await findRow(ownerId, { id })
  if (!budget) throw budgetNotFound()
  const found = await prisma().spendLimit.findMany({
    where: { ownerId, budgetId: id, customerId: { gt: Number(after?.id ?? 0) } },
    orderBy: { customerId: 'asc' },
    take: limit + 1,
  })
  const { endsAt } = await windowColumns(prisma(), ownerId, windowOf(budget))
  const rows = found.slice(0, limit).map((row) => ({ customerId: row.customerId ?? 0, ...viewUse(row, endsAt) }))
  const last = rows.at(-1)?.customerId
  const isMore = found.length > limit && last !== undefined
  return { rows, nextCursor: isMore ? encodeSortedCursor('customer', { value: String(last), id: String(last) }) : null }
}
