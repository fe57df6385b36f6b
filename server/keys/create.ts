import { customerIds } from '../accounts/customers/names'
import { inAct } from '../db'
import { AppError, invalidRequest } from '../errors'
import { recurringBudgetColumns } from './recurring-budget'
import { hashSecret, MANAGEMENT_PREFIX, makeSecret } from './secret'
import { type KeyTemplate, type KeyWithSecret, type KnownNames, NewKey, NewManagementKey } from './shape'
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
  if (wanted.customer !== null && wanted.namesCustomers) {
    issues.push({ path: ['namesCustomers'], message: 'Leave it out: all calls of this key are for one customer' })
  }
  if (issues.length > 0) throw invalidRequest(issues)
  return { ...wanted, tools, allTools: wanted.tools === 'all' }
}

/** Whose key is made; with a person, that is who makes it. */
export type KeyMaker = number | { ownerId: number; personId: number | null }

const makerColumns = (by: KeyMaker) => (typeof by === 'number' ? { ownerId: by } : by)

/**
 * The row of a key to create, with its secret. Throws `invalid_request` like `checkKeySettings`.
 */
export function newKeyRow(by: KeyMaker, input: NewKey, known: KnownNames) {
  const wanted = checkKeySettings(input, known)
  const secret = makeSecret()
  const data = {
    ...makerColumns(by),
    name: wanted.name,
    externalId: wanted.externalId,
    tags: [...new Set(wanted.tags)],
    tools: wanted.tools,
    allTools: wanted.allTools,
    llm: wanted.llm,
    allowedModels: [...new Set(wanted.allowedModels)],
    strict: wanted.strict,
    responseDays: wanted.responseDays,
    agent: wanted.agent,
    agentRunBudgetCredits: wanted.agentRunBudgetCredits,
    capabilities: [...new Set(wanted.capabilities ?? [])],
    budget: wanted.budget,
    namesCustomers: wanted.namesCustomers,
    rpm: wanted.rpm,
    expiresAt: wanted.expiresAt,
    secrets: { create: secretRow(secret) },
  }
  return { data, secret, recurringBudget: wanted.recurringBudget, customer: wanted.customer }
}

/**
 * Makes a key of an owner. The answer's `key` is the bearer value, shown this once. Throws
 * `invalid_request` like `checkKeySettings`, and `conflict` where another key has its external id.
 */
export async function createKey(by: KeyMaker, input: NewKey, known: KnownNames): Promise<KeyWithSecret> {
  const { data, secret, recurringBudget, customer } = newKeyRow(by, input, known)
  return inAct(async (tx) => {
    const customerId = customer === null ? null : (await customerIds(data.ownerId, [customer], tx)).get(customer)
    const made = await tx.key.create({ data: { ...data, customerId }, include: keyRelations })
    if (!recurringBudget) return { ...viewKey(made), key: secret }
    const period = await recurringBudgetColumns(tx, made.id, recurringBudget)
    const row = await tx.key.update({ where: { id: made.id }, data: period, include: keyRelations })
    return { ...viewKey(row), key: secret }
  }).catch((error) => {
    throw isTaken(error) ? externalIdTaken() : error
  })
}

/** True for a row that another one with the same external id keeps out. */
const isTaken = (error: unknown) => (error as { code?: unknown } | null)?.code === 'P2002'

const externalIdTaken = () =>
  new AppError('conflict', 'Another key has this externalId. PUT /manage/keys/{externalId} changes that one.')

/**
 * Makes a management key of an owner, which may call nothing. The answer's `key` is the bearer
 * value, shown this once. Throws `invalid_request`, also for a template that names what is not
 * there.
 */
export async function createManagementKey(
  by: KeyMaker,
  input: NewManagementKey,
  known: KnownNames,
): Promise<KeyWithSecret> {
  const parsed = NewManagementKey.safeParse(input)
  if (!parsed.success) throw invalidRequest(parsed.error.issues)
  const { name, tags, rpm, expiresAt, ...management } = parsed.data
  const issues = templateIssues(management.template ?? {}, known)
  if (issues.length > 0) throw invalidRequest(issues)
  const secret = makeSecret(MANAGEMENT_PREFIX)
  const data = { ...makerColumns(by), name, tags: [...new Set(tags)], rpm, expiresAt, management }
  return inAct(async (tx) => {
    const row = await tx.key.create({
      data: { ...data, secrets: { create: secretRow(secret) } },
      include: keyRelations,
    })
    return { ...viewKey(row), key: secret }
  })
}

function templateIssues({ tools, allowedModels = [], capabilities = [] }: KeyTemplate, known: KnownNames) {
  const issues = [
    ...unknownNames('tools', tools === 'all' ? [] : (tools ?? []), known.tools),
    ...unknownNames('allowedModels', allowedModels, known.models),
    ...unknownNames('capabilities', capabilities, known.capabilities),
  ]
  return issues.map(({ path, message }) => ({ path: ['template', ...path], message }))
}

/** The stored form of a secret. */
export const secretRow = (secret: string) => ({ hash: new Uint8Array(hashSecret(secret)), last4: secret.slice(-4) })

/** The same error for a key that does not exist and for another owner's. */
export const keyNotFound = () => new AppError('not_found', 'There is no such key.')
