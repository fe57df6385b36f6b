import { LRUCache } from 'lru-cache'
import { runStatement, sharedBatch } from '../db'
import { AppError } from '../errors'
import { type RowOf, statement } from '../kit/statement'
import { ManagementGrant, type ManagementScope } from './shape'

/** What a key may do, as of the version of its grants that authentication names. */
export type CallerGrants = {
  tools: 'all' | ReadonlySet<string>
  llm: boolean
  /** null: any model. */
  allowedModels: ReadonlySet<string> | null
  /** Requests that a model would not take as they are get 400. */
  strict: boolean
  /** Days for which its responses are kept; null: as the service keeps them. */
  responseDays: number | null
  agent: boolean
  agentRunBudgetCredits: bigint
  /** null: unconfined. */
  capabilities: readonly string[] | null
  /** What a management key may do in place of all that; null: an ordinary key. */
  management: ManagementGrant | null
  /** The customer that all its calls are made for; null: none. */
  customer: { id: number; name: string | null } | null
  /** Its calls may name a customer. */
  namesCustomers: boolean
}

export type KeyScope = 'llm' | 'agent'

const known = new LRUCache<number, { version: number; grants: CallerGrants }>({ max: 10_000 })

const GRANTS = statement({
  name: 'key_grants',
  sql: `SELECT k.id, k.tools, k.all_tools, k.llm, k.allowed_models, k.strict, k.response_days, k.agent, k.agent_run_budget_credits,
      k.capabilities, k.grants_version, k.management, k.customer_id, c.name AS customer_name, k.names_customers
    FROM "key" k LEFT JOIN customer c ON c.id = k.customer_id WHERE k.id = ANY($1)`,
  params: ['int[]'],
  columns: {
    id: 'int',
    tools: 'text[]?',
    all_tools: 'boolean',
    llm: 'boolean',
    allowed_models: 'text[]?',
    strict: 'boolean',
    response_days: 'int?',
    agent: 'boolean',
    agent_run_budget_credits: 'bigint',
    capabilities: 'text[]?',
    grants_version: 'int',
    management: 'jsonb?',
    customer_id: 'int?',
    customer_name: 'text?',
    names_customers: 'boolean',
  },
  isPrepared: true,
})

/**
 * The row of a key, together with concurrent callers: the first calls of a process know no grants,
 * and must not open a connection each to read the same row.
 */
const readRow = sharedBatch(
  async (ids: number[]): Promise<(RowOf<typeof GRANTS> | undefined)[]> => {
    const rows = await runStatement(GRANTS, [[...new Set(ids)]], { shared: true })
    const rowOf = new Map(rows.map((row) => [row.id, row]))
    return ids.map((id) => rowOf.get(id))
  },
  (id) => id,
)

/**
 * The grants of a key that was just authenticated, which they are a part of: read on the same
 * connections, and kept until authentication names another version of them. Without `version`
 * they are always read.
 */
export async function readCallerGrants(keyId: number, version?: number): Promise<CallerGrants> {
  const cached = known.get(keyId)
  if (cached && cached.version === version) return cached.grants
  const key = await readRow(keyId)
  if (!key) throw new Error(`there is no key ${keyId}`)
  const grants: CallerGrants = {
    tools: key.all_tools ? 'all' : new Set(key.tools ?? []),
    llm: key.llm,
    allowedModels: key.allowed_models?.length ? new Set(key.allowed_models) : null,
    strict: key.strict,
    responseDays: key.response_days,
    agent: key.agent,
    agentRunBudgetCredits: BigInt(key.agent_run_budget_credits),
    capabilities: key.capabilities?.length ? key.capabilities : null,
    management: key.management === null ? null : ManagementGrant.parse(key.management),
    customer: key.customer_id === null ? null : { id: key.customer_id, name: key.customer_name },
    namesCustomers: key.names_customers,
  }
  known.set(keyId, { version: key.grants_version, grants })
  return grants
}

/** The same as far as this process knows them; null where it does not. */
export function knownCallerGrants(keyId: number, version: number): CallerGrants | null {
  const cached = known.get(keyId)
  return cached?.version === version ? cached.grants : null
}

export const mayCallTool = ({ tools }: CallerGrants, id: string): boolean => tools === 'all' || tools.has(id)

export const isModelAllowed = ({ allowedModels }: CallerGrants, id: string): boolean =>
  allowedModels === null || allowedModels.has(id)

/** Whether a key may call a model: by its scope, and by its set of models if it has one. */
export const mayUseModel = (grants: CallerGrants, id: string): boolean => grants.llm && isModelAllowed(grants, id)

/** Throws `forbidden` when a key's set of models lacks this one. */
export function requireModel(grants: CallerGrants, id: string): void {
  if (isModelAllowed(grants, id)) return
  const allowed = [...(grants.allowedModels ?? [])].join(', ')
  throw new AppError('forbidden', `This key may not use ${id}. It may use: ${allowed}.`)
}

/** Throws `forbidden` when a key lacks a scope. */
export function requireScope(grants: CallerGrants, scope: KeyScope): void {
  if (!grants[scope]) throw new AppError('forbidden', `This key lacks the scope ${scope}. Make one that has it.`)
}

/** Throws `forbidden` for a management key, which calls nothing. */
export function requireCalls({ management }: CallerGrants): void {
  if (!management) return
  const scopes = management.scopes.join(', ')
  throw new AppError(
    'forbidden',
    `This is a management key: it manages ${scopes} below /api/v1/manage and calls nothing. Use an ordinary key here.`,
  )
}

/** What a management key with this scope may do. Throws `forbidden` for any other key. */
export function requireManagement({ management }: CallerGrants, scope: ManagementScope): ManagementGrant {
  if (!management)
    throw new AppError('forbidden', 'This takes a management key (tgm_…), which the dashboard makes under Keys.')
  if (management.scopes.includes(scope)) return management
  throw new AppError('forbidden', `This management key lacks the scope ${scope}. Make one that has it.`)
}
