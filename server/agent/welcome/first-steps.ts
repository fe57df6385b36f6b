import { z } from 'zod'
import { executeStatement, prisma, runRead } from '../../db'
import { env } from '../../env'
import { statement } from '../../kit/statement'

const FirstStepId = z.enum(['key', 'tool', 'chat', 'agent', 'client', 'live'])
type FirstStepId = z.infer<typeof FirstStepId>

export const FirstSteps = z.object({
  isHidden: z.boolean().describe('The owner has hidden the list'),
  steps: z.array(z.object({ id: FirstStepId, isDone: z.boolean() })),
})
export type FirstSteps = z.infer<typeof FirstSteps>

/** What rows say about each step. `live` is a setting of the service. */
type SeenStep = Exclude<FirstStepId, 'live'>
const SEEN_STEPS = FirstStepId.exclude(['live']).options

/** True where a call is among the latest, or among the sums, which are written behind the calls. */
const called = (latest: string, summed: string): string =>
  `(EXISTS (SELECT FROM latest r WHERE r.status = 'ok' AND ${latest})
      OR EXISTS (SELECT FROM usage_hour u WHERE u.owner_id = $1 AND u.outcome = 'ok' AND ${summed}))`

/** Which steps an owner has made. A client is a program with a key that calls models or MCP. */
const SEEN = statement({
  name: 'welcome_seen',
  sql: `WITH latest AS MATERIALIZED (
      SELECT product, status, channel, key_id FROM receipt WHERE owner_id = $1 ORDER BY at DESC LIMIT 500)
    SELECT EXISTS (SELECT FROM "key" k WHERE k.owner_id = $1
      AND k.id IS DISTINCT FROM (SELECT example_key_id FROM welcome WHERE owner_id = $1)) AS key,
    ${called(`r.product = 'tool'`, `u.key_id = -1 AND u.product = 'tool'`)} AS tool,
    ${called(`r.product = 'chat'`, `u.key_id = -1 AND u.product = 'chat'`)} AS chat,
    EXISTS (SELECT FROM job j WHERE j.owner_id = $1 AND j.status = 'completed') AS agent,
    ${called(`r.product = 'chat' AND r.key_id IS NOT NULL`, `u.key_id > 0 AND u.product = 'chat'`)}
      OR ${called(`r.channel = 'mcp'`, `u.key_id = -1 AND u.channel = 'mcp'`)} AS client`,
  params: ['int'],
  columns: { key: 'boolean', tool: 'boolean', chat: 'boolean', agent: 'boolean', client: 'boolean' },
})

const KEEP = statement({
  name: 'welcome_keep',
  sql: `INSERT INTO welcome (owner_id, done) VALUES ($1, $2)
    ON CONFLICT (owner_id) DO UPDATE
    SET done = ARRAY(SELECT unnest(welcome.done) UNION SELECT unnest(excluded.done) ORDER BY 1)`,
  params: ['int', 'text[]'],
  columns: {},
})

/** The steps that are done: those kept from before, and what has been done since. */
async function doneSteps(ownerId: number, kept: readonly string[], signal?: AbortSignal): Promise<Set<string>> {
  const missing = SEEN_STEPS.filter((id) => !kept.includes(id))
  if (missing.length === 0) return new Set(kept)
  const [seen] = await runRead(SEEN, [ownerId], { signal })
  const found = missing.filter((id: SeenStep) => seen?.[id])
  if (found.length > 0) await executeStatement(KEEP, [ownerId, found])
  return new Set([...kept, ...found])
}

/**
 * An owner's first steps, each done once something shows that it was made. Going live is one for
 * admins only.
 */
export async function readFirstSteps(
  { ownerId, isAdmin }: { ownerId: number; isAdmin: boolean },
  signal?: AbortSignal,
): Promise<FirstSteps> {
  const row = await prisma().welcome.findUnique({ where: { ownerId } })
  const done = await doneSteps(ownerId, row?.done ?? [], signal)
  return {
    isHidden: row?.isHidden ?? false,
    steps: [
      ...SEEN_STEPS.map((id) => ({ id, isDone: done.has(id) })),
      ...(isAdmin ? [{ id: 'live' as const, isDone: env().mode === 'live' }] : []),
    ],
  }
}

/** Hides the list of first steps from the owner's overview, or brings it back. */
export async function hideFirstSteps(ownerId: number, isHidden: boolean): Promise<void> {
  await prisma().welcome.upsert({ where: { ownerId }, create: { ownerId, isHidden }, update: { isHidden } })
}
