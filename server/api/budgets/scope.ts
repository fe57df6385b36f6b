import { Prisma } from '../../../prisma/generated/client'
import { customerIds, shownCustomers } from '../../accounts/customers/names'
import { nameFits } from '../../credits/budgets/find'
import type { BudgetScope } from '../../credits/budgets/shape'
import type { Transaction } from '../../db'
import { invalidRequest } from '../../errors'
import { allModels } from '../../models/registry'
import { CAPABILITIES } from '../../tools/define'
import { availableTools, toolGroups } from '../../tools/registry'
import type { NamedScope } from './shapes'

/** Whose keys a scope may name: an account's, or those of it with a tag. */
export type ScopeOwner = { ownerId: number; tag: string | null }

/** Each value once, in one order. */
export const sorted = <T extends string | number>(values: Iterable<T>): T[] =>
  [...new Set(values)].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))

/** The beginnings of a group's or a capability's tools: `web` is `web_*`. */
function patternsOfGroup(name: string): string[] {
  const tools = [
    ...toolGroups.filter(({ id }) => id === name).flatMap((group) => group.tools),
    ...availableTools().filter(({ capability }) => capability === name),
  ]
  return tools.map(({ id }) => `${id.split('_')[0]}_*`)
}

type ScopeIssue = { path: (string | number)[]; message: string }
type Kind = { field: 'tools' | 'models'; ids: readonly string[]; all: string }

/** What is wrong about names: one is no id, no group, and the beginning of none. */
function checkNames(given: readonly string[] | undefined, { field, ids, all }: Kind): ScopeIssue[] {
  return (given ?? []).flatMap((name, i) => {
    const path = ['scope', field, i]
    if (name === '*') return [{ path, message: `Name what it counts, or leave ${field} out: ${all}` }]
    if (ids.some(nameFits([name])) || (field === 'tools' && patternsOfGroup(name).length > 0)) return []
    if (field === 'tools' && CAPABILITIES.some((id) => id === name))
      return [{ path, message: `The tools of "${name}" cost no credits` }]
    return [{ path, message: `There is no "${name}" here` }]
  })
}

/** What keeps a scope from ever fitting a call. */
function contradictions({ products, tools, models }: NamedScope): ScopeIssue[] {
  if (!products || products.includes('agent')) return []
  const counted = { tool: tools, chat: models } as const
  if ((!tools && !models) || products.some((product) => product !== 'agent' && counted[product])) return []
  return [{ path: ['scope', 'products'], message: 'No call of these products is one of these tools or models' }]
}

/** The keys of a scope that are not there. */
async function checkKeys(
  tx: Transaction,
  { ownerId, tag }: ScopeOwner,
  keys: readonly number[],
): Promise<ScopeIssue[]> {
  const found = await tx.key.findMany({
    where: {
      ownerId,
      id: { in: keys.filter((id) => id <= 2_147_483_647) },
      management: { equals: Prisma.DbNull },
      ...(tag !== null && { tags: { has: tag } }),
    },
    select: { id: true },
  })
  const known = new Set(found.map(({ id }) => id))
  return keys.flatMap((id, i) =>
    known.has(id) ? [] : [{ path: ['scope', 'keys', i], message: `There is no key ${id}` }],
  )
}

/** The members of a scope who do not belong to the account, and made no key of it before. */
async function checkMembers(
  tx: Transaction,
  { ownerId }: ScopeOwner,
  members: readonly number[],
): Promise<ScopeIssue[]> {
  const personId = { in: members.filter((id) => id <= 2_147_483_647) }
  const found = [
    ...(await tx.member.findMany({ where: { accountId: ownerId, personId }, select: { personId: true } })),
    ...(await tx.key.findMany({ where: { ownerId, personId }, distinct: ['personId'], select: { personId: true } })),
  ]
  const known = new Set(found.map((row) => row.personId))
  return members.flatMap((id, i) =>
    known.has(id) ? [] : [{ path: ['scope', 'members', i], message: `There is no member ${id}` }],
  )
}

/**
 * A scope as budgets store it: groups as the beginnings of their tools, customers as their ids.
 * Throws `invalid_request` for what is not there, or can fit no call.
 */
export async function storeScope(tx: Transaction, owner: ScopeOwner, scope: NamedScope): Promise<BudgetScope> {
  const { keys, members, tags, customers, products, models } = scope
  const tools = scope.tools?.flatMap((name) => {
    const patterns = patternsOfGroup(name)
    return patterns.length > 0 ? patterns : [name]
  })
  const issues = [
    ...(keys ? await checkKeys(tx, owner, keys) : []),
    ...(members ? await checkMembers(tx, owner, members) : []),
    ...checkNames(scope.tools, {
      field: 'tools',
      ids: availableTools().map(({ id }) => id),
      all: 'products ["tool"] has every tool',
    }),
    ...checkNames(models, {
      field: 'models',
      ids: allModels().map(({ id }) => id),
      all: 'products ["chat", "agent"] has every model',
    }),
    ...contradictions(scope),
  ]
  if (issues.length > 0) throw invalidRequest(issues)
  const named = customers && customers !== 'each' ? await customerIds(owner.ownerId, customers, tx) : null
  return {
    ...(keys && { keys: sorted(keys) }),
    ...(members && { members: sorted(members) }),
    ...(tags && { tags: sorted(tags) }),
    ...(customers && { customers: named ? sorted(named.values()) : 'each' }),
    ...(products && { products: sorted(products) }),
    ...(tools && { tools: sorted(tools) }),
    ...(models && { models: sorted(models) }),
  }
}

/** Stored scopes as they are shown, in their order. */
export async function nameScopes(
  ownerId: number,
  scopes: readonly BudgetScope[],
  tx?: Transaction,
): Promise<NamedScope[]> {
  const ids = scopes.flatMap(({ customers }) => (Array.isArray(customers) ? customers : []))
  const names = await shownCustomers(ownerId, ids, tx)
  const nameOf = (id: number) => names.get(id) ?? String(id)
  return scopes.map(({ customers, ...scope }) => ({
    ...scope,
    ...(customers && { customers: Array.isArray(customers) ? customers.map(nameOf) : customers }),
  }))
}
