import { createHash } from 'node:crypto'
import { runStatement } from '../../db'
import { AppError } from '../../errors'
import { statement } from '../../kit/statement'
import type { ReserveRequest } from '../hold-request'
import { customerSuspended } from '../suspension'
import type { BudgetRate, NamedLimit, NamedLimits } from './named-limits'
import { BudgetScope, MAX_BUDGETS_OF_A_CALL } from './shape'

/** Accounts whose budgets one process keeps. */
const MAX_KEPT = 10_000

/** Where it is not known yet what is called, it may be anything. */
export type BudgetCall = Pick<ReserveRequest, 'ownerId' | 'keyId' | 'customerId' | 'personId'> &
  Partial<Pick<ReserveRequest, 'product' | 'what'>>
type CompiledBudget = {
  id: string
  isEach: boolean
  fits: (call: BudgetCall) => boolean
  /** What calls may do a minute, without their window. */
  rates: Omit<BudgetRate, 'id'>[]
}
type Compiled = {
  version: number
  budgets: CompiledBudget[]
  hasRates: boolean
  /** Customers that its owner has suspended. */
  suspended: ReadonlySet<number>
}

/**
 * The budgets of accounts, compiled once per version. The ledger compares the version in the
 * statement that takes a hold: what is kept here may be old, and is then read again.
 */
const kept = new Map<number, Compiled>()
/** An account that has never had a budget is of version 0, and needs no read. */
const NONE: Compiled = { version: 0, budgets: [], hasRates: false, suspended: new Set() }

const READ = statement({
  name: 'budgets_of_account',
  sql: `SELECT a.budgets_version AS version, (
      SELECT jsonb_agg(jsonb_build_object('id', b.id, 'name', b.name, 'rpm', b.rpm, 'tpm', b.tpm, 'scope', b.scope, 'tagged', CASE WHEN b.scope ? 'tags' THEN (
        SELECT coalesce(jsonb_agg(k.id), '[]') FROM "key" k WHERE k.owner_id = b.owner_id
          AND k.tags && ARRAY(SELECT jsonb_array_elements_text(b.scope -> 'tags'))) END, 'made', CASE WHEN b.scope ? 'members' THEN (
        SELECT coalesce(jsonb_agg(k.id), '[]') FROM "key" k WHERE k.owner_id = b.owner_id
          AND k.person_id = ANY (ARRAY(SELECT jsonb_array_elements_text(b.scope -> 'members')::int))) END) ORDER BY b.id)
      FROM budget b WHERE b.owner_id = a.owner_id AND b.deleted_at IS NULL) AS budgets,
      ARRAY(SELECT c.id FROM customer c WHERE c.owner_id = a.owner_id AND c.suspended_at IS NOT NULL) AS suspended
    FROM account a WHERE a.owner_id = $1`,
  params: ['int'],
  columns: { version: 'int', budgets: 'jsonb?', suspended: 'int[]?' },
})

type StoredBudget = {
  id: string
  name: string
  rpm: number | null
  tpm: number | null
  scope: unknown
  /** The keys with one of its tags, and those that one of its members made. */
  tagged: number[] | null
  made: number[] | null
}

/** Whether a name is one of some patterns: itself, or a beginning and `*`. */
export function nameFits(patterns: readonly string[]): (name: string) => boolean {
  const exact = new Set(patterns)
  const beginnings = patterns.flatMap((pattern) => (pattern.endsWith('*') ? [pattern.slice(0, -1)] : []))
  return (name) => exact.has(name) || beginnings.some((beginning) => name.startsWith(beginning))
}

function compile({ id, name, rpm, tpm, scope, tagged, made }: StoredBudget): CompiledBudget {
  const { keys, members, customers, products, tools, models } = BudgetScope.parse(scope)
  const tests: ((call: BudgetCall) => boolean)[] = []
  for (const ids of [keys, tagged]) {
    if (!ids) continue
    const set = new Set(ids)
    tests.push(({ keyId }) => keyId !== null && set.has(keyId))
  }
  if (members) {
    const [people, set] = [new Set(members), new Set(made)]
    tests.push(
      ({ keyId, personId }) => (keyId !== null && set.has(keyId)) || (personId !== undefined && people.has(personId)),
    )
  }
  if (customers === 'each') tests.push(({ customerId }) => customerId !== undefined)
  else if (customers) {
    const set = new Set(customers)
    tests.push(({ customerId }) => customerId !== undefined && set.has(customerId))
  }
  if (products) tests.push(({ product }) => product === undefined || products.includes(product))
  if (tools || models) {
    const fits = nameFits([...(tools ?? []), ...(models ?? [])])
    tests.push(({ what }) => what === undefined || fits(what))
  }
  const rates = (
    [
      ['requests', rpm],
      ['tokens', tpm],
    ] as const
  ).flatMap(([unit, max]) => (max === null ? [] : [{ budgetId: id, name, unit, max }]))
  return { id, isEach: customers === 'each', fits: (call) => tests.every((test) => test(call)), rates }
}

/** Reads an account's budgets again: the ledger has said that they have changed. */
export async function readBudgets(ownerId: number): Promise<void> {
  const [row] = await runStatement(READ, [ownerId])
  kept.delete(ownerId)
  if (kept.size >= MAX_KEPT) kept.delete(kept.keys().next().value ?? ownerId)
  if (!row) return
  const budgets = ((row.budgets ?? []) as StoredBudget[]).map(compile)
  const hasRates = budgets.some(({ rates }) => rates.length > 0)
  kept.set(ownerId, { version: row.version, budgets, hasRates, suspended: new Set(row.suspended) })
}

/** The version of an account's budgets and customers that this process knows. */
export const knownVersion = (ownerId: number): number => (kept.get(ownerId) ?? NONE).version

/** Whether some calls of an account are counted a minute by its budgets. */
export const hasRates = (ownerId: number): boolean => (kept.get(ownerId) ?? NONE).hasRates

/** The row of one customer under a budget that counts each: an id that follows from both. */
function limitOfCustomer(budgetId: string, customerId: number): string {
  const hash = createHash('sha256').update(`${budgetId}/${customerId}`).digest('hex')
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `8${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join('-')
}

/** The rates of budgets that a call counts against. */
const ratesOf = ({ budgets }: Compiled, rows: readonly NamedLimit[]): BudgetRate[] =>
  rows.flatMap(({ id, budgetId }) => {
    const rates = budgets.find((budget) => budget.id === budgetId)?.rates ?? []
    return rates.map((rate) => ({ ...rate, id: `budget:${id}:${rate.unit}` }))
  })

/**
 * The budgets that a call counts against, as far as this process knows, or why there can be no
 * hold: `forbidden` for a suspended customer, `conflict` for a call that more than 16 fit.
 */
export function findBudgets(call: BudgetCall): NamedLimits & { refusal?: AppError } {
  const all = kept.get(call.ownerId) ?? NONE
  const { version, budgets, suspended } = all
  if (call.customerId !== undefined && suspended.has(call.customerId)) {
    return { version, rows: [], refusal: customerSuspended() }
  }
  if (budgets.length === 0) return { version, rows: [] }
  const rows = budgets.flatMap(({ id, isEach, fits }): NamedLimit[] => {
    if (!fits(call)) return []
    if (!isEach || call.customerId === undefined) return [{ id, budgetId: id, customerId: null }]
    return [{ id: limitOfCustomer(id, call.customerId), budgetId: id, customerId: call.customerId }]
  })
  if (rows.length <= MAX_BUDGETS_OF_A_CALL) {
    // Steps of runs are no requests of callers.
    if (!all.hasRates || call.product === 'agent') return { version, rows }
    return { version, rows, rates: ratesOf(all, rows) }
  }
  const text = `This call counts against ${rows.length} budgets, and a call may against ${MAX_BUDGETS_OF_A_CALL}.`
  return { version, rows: [], refusal: new AppError('conflict', `${text} Narrow or delete some.`) }
}
