import { prisma, runIn, type Transaction } from '../../db'
import { invalidRequest, readCursor } from '../../errors'
import { paginate } from '../../kit/cursor'
import { isUuid, uuidv7 } from '../../kit/id'
import { statement } from '../../kit/statement'
import {
  budgetNotFound,
  budgetsChanged,
  findRow,
  lockBudget,
  periodOf,
  readBudgetRows,
  viewBudget,
  viewBudgets,
  windowColumns,
} from './rows'
import { type Budget, BudgetChanges, BudgetInput } from './shape'

/** Budgets an account may have. */
const MAX_BUDGETS = 200

/**
 * Makes a budget of an account. It counts the calls whose holds are taken from then on, in every
 * process. Throws `invalid_request`.
 */
export async function createBudget(tx: Transaction, ownerId: number, input: BudgetInput): Promise<Budget> {
  const parsed = BudgetInput.safeParse(input)
  if (!parsed.success) throw invalidRequest(parsed.error.issues)
  const { name, externalId = null, credits, window, scope, alertAt } = parsed.data
  const { requestsPerMinute: rpm, tokensPerMinute: tpm } = parsed.data
  // Waits for others that make one: their number is then exact.
  await budgetsChanged(tx, ownerId)
  if ((await tx.budget.count({ where: { ownerId, deletedAt: null } })) >= MAX_BUDGETS)
    throw invalidRequest([{ path: [], message: `An account has at most ${MAX_BUDGETS} budgets. Delete some` }])
  const id = uuidv7()
  const period = periodOf(window)
  const cap = BigInt(credits)
  await tx.budget.create({ data: { id, ownerId, externalId, name, credits: cap, period, scope, rpm, tpm, alertAt } })
  if (scope.customers !== 'each') {
    const columns = await windowColumns(tx, ownerId, window)
    await tx.spendLimit.create({ data: { id, ownerId, cap, name, period, budgetId: id, ...columns } })
  }
  return getBudget(ownerId, id, tx)
}

// What its calls were charged and hold in another window, from their receipts and holds.
const RECOUNT = statement({
  name: 'budget_recount',
  sql: `UPDATE spend_limit s SET period = $3, starts_at = $4::timestamptz, ends_at = $5::timestamptz,
      spent = CASE WHEN $4::timestamptz IS NULL THEN coalesce((SELECT d.charged FROM deleted_spend d WHERE d.limit_id = s.id), 0) ELSE 0 END
        + coalesce((SELECT sum(CASE WHEN $4::timestamptz IS NULL THEN r.charged ELSE charged_in_period(r, $4::timestamptz, r.charged) END)
          FROM receipt r WHERE r.owner_id = s.owner_id AND r.at >= coalesce($4::timestamptz, '-infinity')
            AND s.id = ANY (limits_named(r))), 0),
      held = coalesce((SELECT sum(h.amount) FROM hold h WHERE h.owner_id = s.owner_id AND s.id = ANY (h.limits)
        AND h.created_at >= coalesce($4::timestamptz, '-infinity')), 0)
    WHERE s.budget_id = $1::uuid AND s.owner_id = $2::int`,
  params: ['uuid', 'int', 'text', 'timestamptz', 'timestamptz'],
})

/**
 * Changes a budget: its name, credits, window and scope, for the next hold in every process. Fewer
 * credits than were spent already allow nothing until the window is over. In another window counts
 * what the calls that it has counted were charged there; another scope counts from then on. Whether
 * customers are counted one by one cannot be changed. Throws `not_found` and `invalid_request`.
 */
export async function changeBudget(
  tx: Transaction,
  ownerId: number,
  id: string,
  input: BudgetChanges,
): Promise<Budget> {
  const parsed = BudgetChanges.safeParse(input)
  if (!parsed.success) throw invalidRequest(parsed.error.issues)
  const { name, credits, window, scope, alertAt, requestsPerMinute: rpm, tokensPerMinute: tpm } = parsed.data
  await lockBudget(tx, ownerId, id)
  const before = await getBudget(ownerId, id, tx)
  if (scope && (scope.customers === 'each') !== (before.scope.customers === 'each'))
    throw invalidRequest([
      { path: ['scope', 'customers'], message: 'Make a new budget to count customers one by one, or not' },
    ])
  const shared = { ...(name !== undefined && { name }), ...(window && { period: periodOf(window) }) }
  const cap = credits === undefined ? undefined : BigInt(credits)
  await tx.budget.updateMany({
    where: { id, ownerId },
    data: {
      ...shared,
      ...(cap !== undefined && { credits: cap }),
      ...(scope && { scope }),
      ...(rpm !== undefined && { rpm }),
      ...(tpm !== undefined && { tpm }),
      ...(alertAt && { alertAt }),
    },
  })
  await tx.spendLimit.updateMany({
    where: { budgetId: id, ownerId },
    data: { ...(name !== undefined && { name }), ...(cap !== undefined && { cap }) },
  })
  if (window && window !== before.window) {
    const { startsAt, endsAt } = await windowColumns(tx, ownerId, window)
    await runIn(tx, RECOUNT, [id, ownerId, periodOf(window), startsAt, endsAt])
  }
  await budgetsChanged(tx, ownerId)
  return getBudget(ownerId, id, tx)
}

/**
 * Deletes a budget: it limits nothing any more. What it counted stays for the books. Throws
 * `not_found`.
 */
export async function deleteBudget(tx: Transaction, ownerId: number, id: string): Promise<void> {
  const { count } = await tx.budget.updateMany({
    where: { id, ownerId, deletedAt: null },
    data: { deletedAt: new Date() },
  })
  if (count === 0) throw budgetNotFound()
  await budgetsChanged(tx, ownerId)
}

/** A budget of an account, with what is spent and held. Throws `not_found`. */
export async function getBudget(ownerId: number, id: string, tx?: Transaction): Promise<Budget> {
  const row = await findRow(ownerId, { id }, tx)
  if (!row) throw budgetNotFound()
  return viewBudget(tx ?? prisma(), row)
}

/** The budget that programs know by a name of theirs; null: there is none. */
export async function findBudgetByExternalId(
  ownerId: number,
  externalId: string,
  tx?: Transaction,
): Promise<Budget | null> {
  const row = await findRow(ownerId, { externalId }, tx)
  return row && viewBudget(tx ?? prisma(), row)
}

/**
 * An account's budgets, newest first; with a tag, those that are of keys with that tag alone.
 * Throws `invalid_request` for an invalid cursor.
 */
export async function listBudgets(
  ownerId: number,
  { limit, cursor, tag = null }: { limit: number; cursor?: string; tag?: string | null },
): Promise<{ rows: Budget[]; nextCursor: string | null }> {
  const after = readCursor(cursor, isUuid)
  const found = await readBudgetRows(ownerId, {
    limit: limit + 1,
    ...(after && { before: after.id }),
    ...(tag !== null && { tags: [tag] }),
  })
  const page = paginate(found, limit, ({ id, createdAt: at }) => ({ id, at }))
  return { rows: await viewBudgets(prisma(), ownerId, page.rows), nextCursor: page.nextCursor }
}
