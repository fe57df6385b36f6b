import { afterSlices } from '../credits/slices'
import { inAct } from '../db'
import { AppError, invalidRequest } from '../errors'
import { keyNotFound } from './create'
import { getKey } from './list'
import { checkKey, type KeyOwner, lockKey, ownerIdOf } from './lock'
import { checkBudget, recurringBudgetColumns } from './recurring-budget'
import { KeyChanges, type KeyView } from './shape'
import { type KeyRow, keyRelations, viewKey } from './view'
import { isWithin } from './within'

const WIDER = 'A key can only be narrowed. Make a new key for more.'

/** The fields of a change that would let a key call more than it may now. */
function widerFields(key: KeyRow, changes: KeyChanges): string[] {
  const { tools, allowedModels, capabilities } = changes
  const anyOf = (names: readonly string[]) => (names.length > 0 ? names : null)
  const narrows = {
    tools: tools === undefined || isWithin(tools === 'all' ? null : tools, key.allTools ? null : key.tools),
    llm: !changes.llm || key.llm,
    agent: !changes.agent || key.agent,
    allowedModels: allowedModels === undefined || isWithin(anyOf(allowedModels), anyOf(key.allowedModels)),
    capabilities: capabilities === undefined || isWithin(capabilities, anyOf(key.capabilities)),
  }
  return Object.entries(narrows).flatMap(([field, isNarrower]) => (isNarrower ? [] : [field]))
}

/** The columns of what processes keep of a key, as far as a change names them. */
function grantColumns(changes: KeyChanges) {
  const { tools, llm, agent, strict, responseDays, allowedModels, capabilities } = changes
  const { agentRunBudgetCredits, namesCustomers } = changes
  const columns = {
    ...(tools !== undefined && { allTools: tools === 'all', tools: tools === 'all' ? [] : [...new Set(tools)] }),
    ...(llm !== undefined && { llm }),
    ...(agent !== undefined && { agent }),
    ...(strict !== undefined && { strict }),
    ...(responseDays !== undefined && { responseDays }),
    ...(allowedModels !== undefined && { allowedModels: [...new Set(allowedModels)] }),
    ...(capabilities !== undefined && { capabilities: [...new Set(capabilities ?? [])] }),
    ...(agentRunBudgetCredits !== undefined && { agentRunBudgetCredits }),
    ...(namesCustomers !== undefined && { namesCustomers }),
  }
  return Object.keys(columns).length > 0 ? { ...columns, grantsVersion: { increment: 1 } } : {}
}

/**
 * Changes a key of an owner: its name, tags, budgets, rate and expiry, and what it may call, which
 * can only be narrowed. Holds on every process from the next request on. Throws `not_found`,
 * `conflict` for a revoked key, and `invalid_request` for a wider grant or a budget below what is
 * spent and held.
 */
export async function changeKey(owner: KeyOwner, id: number, input: KeyChanges): Promise<KeyView> {
  const ownerId = ownerIdOf(owner)
  const parsed = KeyChanges.safeParse(input)
  if (!parsed.success) throw invalidRequest(parsed.error.issues)
  const changes = parsed.data
  return afterSlices(
    inAct(async (tx) => {
      await lockKey(tx, ownerId, id)
      const key = await tx.key.findFirst({ where: { id, ownerId }, include: keyRelations })
      if (!key) throw keyNotFound()
      checkKey(owner, viewKey(key))
      if (key.revokedAt) throw new AppError('conflict', 'A revoked key cannot be changed.')
      const wider = widerFields(key, changes)
      if (wider.length > 0) throw invalidRequest(wider.map((field) => ({ path: [field], message: WIDER })))
      if (changes.namesCustomers && key.customerId !== null)
        throw invalidRequest([{ path: ['namesCustomers'], message: 'All calls of this key are for one customer' }])
      if (changes.capabilities?.length === 0)
        throw invalidRequest([{ path: ['capabilities'], message: 'Name at least one group' }])
      const { name, tags, rpm, expiresAt, budget, recurringBudget } = changes
      if (typeof budget === 'number') checkBudget('budget', budget, key)
      await tx.key.update({
        where: { id },
        data: {
          ...{ name, rpm, expiresAt, budget, tags: tags && [...new Set(tags)] },
          ...grantColumns(changes),
          ...(recurringBudget !== undefined && (await recurringBudgetColumns(tx, id, recurringBudget))),
        },
      })
      return getKey(ownerId, id, tx)
    }),
  )
}
