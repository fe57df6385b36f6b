import { inAct } from '../db'
import { AppError, invalidRequest } from '../errors'
import { recurringBudgetColumns } from './recurring-budget'
import { hashSecret, makeSecret } from './secret'
import { type KeyWithSecret, type KnownNames, NewKey } from './shape'
import { keyRelations, viewKey } from './view'

/** Unknown names, as issues of their field. */
function unknownNames(field: string, given: readonly string[], known: readonly string[]) {
  const set = new Set(known)
  return given
    .filter((name) => !set.has(name))
    .map((name) => ({ path: [field], message: `There is no "${name}" here` }))
}

/**
 * The settings of a key to create, complete. Throws `invalid_request` for settings that are out of
 * range or name what is not there.
 */
export function checkKeySettings(input: NewKey, known: KnownNames) {
  const parsed = NewKey.safeParse(input)
  if (!parsed.success) throw invalidRequest(parsed.error.issues)
  const wanted = parsed.data
  const tools = wanted.tools === 'all' ? [] : [...new Set(wanted.tools)]
  const issues = [
    ...unknownNames('tools', tools, known.tools),
    ...unknownNames('allowedModels', wanted.allowedModels, known.models),
    ...unknownNames('capabilities', wanted.capabilities ?? [], known.capabilities),
  ]
  if (wanted.capabilities?.length === 0) {
    issues.push({ path: ['capabilities'], message: 'Name at least one group, or null for all' })
  }
  if (issues.length > 0) throw invalidRequest(issues)
  return { ...wanted, tools, allTools: wanted.tools === 'all' }
}

/**
 * The row of a key to create, with its secret. Throws `invalid_request` like `checkKeySettings`.
 */
export function newKeyRow(ownerId: number, input: NewKey, known: KnownNames) {
  const wanted = checkKeySettings(input, known)
  const secret = makeSecret()
  const data = {
    ownerId,
    name: wanted.name,
    tags: [...new Set(wanted.tags)],
    tools: wanted.tools,
    allTools: wanted.allTools,
    llm: wanted.llm,
    allowedModels: [...new Set(wanted.allowedModels)],
    strict: wanted.strict,
    agent: wanted.agent,
    agentRunBudgetCredits: wanted.agentRunBudgetCredits,
    capabilities: [...new Set(wanted.capabilities ?? [])],
    budget: wanted.budget,
    rpm: wanted.rpm,
    expiresAt: wanted.expiresAt,
    secrets: { create: secretRow(secret) },
  }
  return { data, secret, recurringBudget: wanted.recurringBudget }
}

/**
 * Makes a key of an owner. The answer's `key` is the bearer value, shown this once. Throws
 * `invalid_request` like `checkKeySettings`.
 */
export async function createKey(ownerId: number, input: NewKey, known: KnownNames): Promise<KeyWithSecret> {
  const { data, secret, recurringBudget } = newKeyRow(ownerId, input, known)
  const row = await inAct(async (tx) => {
    const made = await tx.key.create({ data, include: keyRelations })
    if (!recurringBudget) return made
    const period = await recurringBudgetColumns(tx, made.id, recurringBudget)
    return tx.key.update({ where: { id: made.id }, data: period, include: keyRelations })
  })
  return { ...viewKey(row), key: secret }
}

/** The stored form of a secret. */
export const secretRow = (secret: string) => ({ hash: new Uint8Array(hashSecret(secret)), last4: secret.slice(-4) })

/** The same error for a key that does not exist and for another owner's. */
export const keyNotFound = () => new AppError('not_found', 'There is no such key.')
