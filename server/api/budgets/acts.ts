import { shownCustomers } from '../../accounts/customers/names'
import {
  changeBudget,
  createBudget,
  deleteBudget,
  findBudgetByExternalId,
  getBudget,
  listBudgets,
} from '../../credits/budgets/change'
import { budgetNotFound, listBudgetCustomers, lockBudget } from '../../credits/budgets/rows'
import type { Budget } from '../../credits/budgets/shape'
import { afterSlices } from '../../credits/slices'
import { inAct, prisma, type Transaction } from '../../db'
import { AppError } from '../../errors'
import { stableJson } from '../../kit/stable-json'
import { nameScopes, type ScopeOwner, sorted, storeScope } from './scope'
import type { BudgetCustomersPage, BudgetPage, NamedBudget, NamedBudgetChanges, NamedScope, NewBudget } from './shapes'

/**
 * Whose budgets are meant: an account's, or, with a tag, those that are of keys with that tag
 * alone. `check` is called with a budget that is locked, and throws where whoever asks has seen
 * another version of it.
 */
export type BudgetOwner = ScopeOwner & { check?: (budget: Budget) => void }

/** The budgets of an account as whoever is signed in sees them. */
export const ofAccount = (ownerId: number): BudgetOwner => ({ ownerId, tag: null })

/** A budget as it is stored and as it is shown. */
export type MadeBudget = { budget: Budget; named: NamedBudget }

const isOfTag = ({ scope: { tags } }: Pick<Budget, 'scope'>, tag: string | null) =>
  tag === null || (tags?.length === 1 && tags[0] === tag)

/** The scope that a key of one tag may give a budget. Throws `forbidden` for a wider one. */
function confine({ tag }: ScopeOwner, scope: NamedScope): NamedScope {
  if (tag === null || isOfTag({ scope: { tags: scope.tags } }, tag)) return scope
  if (!scope.tags) return { ...scope, tags: [tag] }
  throw new AppError('forbidden', `This management key may only make budgets of the tag ${tag}.`)
}

async function nameBudget(ownerId: number, budget: Budget, tx?: Transaction): Promise<MadeBudget> {
  const [scope = {}] = await nameScopes(ownerId, [budget.scope], tx)
  return { budget, named: { ...budget, scope } }
}

/** True for a row that another one with the same external id keeps out. */
const isTaken = (error: unknown) => (error as { code?: unknown } | null)?.code === 'P2002'

const externalIdTaken = () =>
  new AppError('conflict', 'Another budget has this externalId. PUT /manage/budgets/{externalId} changes that one.')

/**
 * Makes a budget, for the next call on every process. Throws `invalid_request`, `forbidden` for a
 * scope wider than the tag of whoever makes it, and `conflict` where another has its external id.
 */
export function makeBudget(owner: BudgetOwner, { scope, ...settings }: NewBudget): Promise<MadeBudget> {
  const { ownerId } = owner
  const made = inAct(async (tx) => {
    const stored = await storeScope(tx, owner, confine(owner, scope))
    return nameBudget(
      ownerId,
      await createBudget(tx, ownerId, { ...settings, alertAt: sorted(settings.alertAt), scope: stored }),
      tx,
    )
  }).catch((error) => {
    throw isTaken(error) ? externalIdTaken() : error
  })
  return afterSlices(made)
}

/** A budget that is locked until the transaction ends. */
async function lockVisible(tx: Transaction, { ownerId, tag, check }: BudgetOwner, id: string): Promise<Budget> {
  await lockBudget(tx, ownerId, id)
  const budget = await getBudget(ownerId, id, tx)
  if (!isOfTag(budget, tag)) throw budgetNotFound()
  check?.(budget)
  return budget
}

/** Changes a budget, for the next call on every process. Throws as `makeBudget` and `not_found`. */
export function alterBudget(owner: BudgetOwner, id: string, { scope, ...changes }: NamedBudgetChanges) {
  const { ownerId } = owner
  const changed = inAct(async (tx): Promise<MadeBudget> => {
    await lockVisible(tx, owner, id)
    const stored = scope && (await storeScope(tx, owner, confine(owner, scope)))
    const budget = await changeBudget(tx, ownerId, id, {
      ...changes,
      ...(changes.alertAt && { alertAt: sorted(changes.alertAt) }),
      ...(stored && { scope: stored }),
    })
    return nameBudget(ownerId, budget, tx)
  })
  return afterSlices(changed)
}

/** What the audit log has of a budget's settings: the number of customers, not their names. */
export function auditedSettings({ name: _, ...settings }: NamedBudgetChanges): Record<string, unknown> {
  const { customers } = settings.scope ?? {}
  if (!Array.isArray(customers)) return settings
  return { ...settings, scope: { ...settings.scope, customers: new Set(customers).size } }
}

/** Deletes a budget. Returns what it was. Throws `not_found`. */
export function removeBudget(owner: BudgetOwner, id: string): Promise<MadeBudget> {
  return inAct(async (tx) => {
    const budget = await lockVisible(tx, owner, id)
    await deleteBudget(tx, owner.ownerId, id)
    return nameBudget(owner.ownerId, budget, tx)
  })
}

/**
 * What of a budget has to change for it to be as it is declared; null: nothing. Customers that it
 * names are made.
 */
export async function changesToBudget(
  owner: BudgetOwner,
  budget: Budget,
  declared: NewBudget,
): Promise<NamedBudgetChanges | null> {
  const scope = confine(owner, declared.scope)
  const shall = { ...declared, alertAt: sorted(declared.alertAt), scope: await storeScope(prisma(), owner, scope) }
  const differs = (
    ['name', 'credits', 'window', 'scope', 'requestsPerMinute', 'tokensPerMinute', 'alertAt'] as const
  ).filter((field) => stableJson(shall[field]) !== stableJson(budget[field]))
  if (differs.length === 0) return null
  return Object.fromEntries(differs.map((field) => [field, field === 'scope' ? scope : declared[field]]))
}

/** A budget. Throws `not_found`. */
export async function readBudget({ ownerId, tag }: BudgetOwner, id: string): Promise<MadeBudget> {
  const budget = await getBudget(ownerId, id)
  if (!isOfTag(budget, tag)) throw budgetNotFound()
  return nameBudget(ownerId, budget)
}

/** The budget that programs know by a name of theirs; null: there is none. Throws `not_found`. */
export async function readDeclaredBudget(
  { ownerId, tag }: BudgetOwner,
  externalId: string,
): Promise<MadeBudget | null> {
  const budget = await findBudgetByExternalId(ownerId, externalId)
  if (budget && !isOfTag(budget, tag)) throw budgetNotFound()
  return budget && nameBudget(ownerId, budget)
}

/** Budgets, newest first. Throws `invalid_request` for an invalid cursor. */
export async function pageOfBudgets({ ownerId, tag }: BudgetOwner, page: BudgetPage) {
  const { rows, nextCursor } = await listBudgets(ownerId, { ...page, tag })
  const scopes = await nameScopes(
    ownerId,
    rows.map(({ scope }) => scope),
  )
  return { rows: rows.map((row, i): NamedBudget => ({ ...row, scope: scopes[i] ?? {} })), nextCursor }
}

/** What each customer has used of a budget that counts each, in the order of their first calls. */
export async function readBudgetCustomers(owner: BudgetOwner, { id, ...page }: BudgetCustomersPage) {
  await readBudget(owner, id)
  const { rows, nextCursor } = await listBudgetCustomers(owner.ownerId, id, page)
  const names = await shownCustomers(
    owner.ownerId,
    rows.map(({ customerId }) => customerId),
  )
  return {
    rows: rows.map(({ customerId, ...use }) => ({
      id: customerId,
      customer: names.get(customerId) ?? String(customerId),
      ...use,
    })),
    nextCursor,
  }
}
