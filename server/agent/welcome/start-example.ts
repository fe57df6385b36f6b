import { inTransaction, runIn } from '../../db'
import { AppError } from '../../errors'
import { newKeyRow } from '../../keys/create'
import { readCallerGrants } from '../../keys/grants'
import { statement } from '../../kit/statement'
import { startJob } from '../jobs/start'
import type { StartOrigin } from '../jobs/write-turn'
import type { StartedJob } from '../shape'
import { EXAMPLE_LIMIT_CREDITS, exampleRequest } from './example-goals'

const LOCK_WELCOME = statement({
  name: 'welcome_lock',
  sql: `INSERT INTO welcome (owner_id) VALUES ($1)
    ON CONFLICT (owner_id) DO UPDATE SET owner_id = excluded.owner_id
    RETURNING example_key_id`,
  params: ['int'],
  columns: { example_key_id: 'int?' },
})

const EXAMPLE_KEY = { name: 'Example goals', tools: [], agent: true, agentRunBudgetCredits: EXAMPLE_LIMIT_CREDITS }

/**
 * The key of an owner's example goals. Nobody has its secret: it is there because runs are limited
 * and charged under a key. One that was revoked or changed gets a successor. Concurrent starts
 * wait for one another.
 */
const exampleKey = (ownerId: number): Promise<number> =>
  inTransaction(async (tx) => {
    const [welcome] = await runIn(tx, LOCK_WELCOME, [ownerId])
    const known = welcome?.example_key_id ?? null
    const { agent, agentRunBudgetCredits } = EXAMPLE_KEY
    const asMade = { ownerId, agent, agentRunBudgetCredits, capabilities: { isEmpty: true } }
    const usable =
      known === null
        ? null
        : await tx.key.findFirst({ where: { id: known, ...asMade, revokedAt: null, expiresAt: null } })
    if (usable) return usable.id
    const { data } = newKeyRow(ownerId, EXAMPLE_KEY, { tools: [], models: [], capabilities: [] })
    const { id } = await tx.key.create({ data })
    await tx.welcome.update({ where: { ownerId }, data: { exampleKeyId: id } })
    return id
  })

/**
 * Starts an example goal under a key of its own, so that its spend limit holds and the owner needs
 * no key before. Throws `not_found` for an unknown example, and like `startJob`.
 */
export async function startExample(
  ownerId: number,
  { id, idempotencyKey, by }: { id: string; idempotencyKey: string; by?: StartOrigin['by'] },
): Promise<StartedJob> {
  const request = exampleRequest(id, { ownerId, idempotencyKey })
  if (!request) throw new AppError('not_found', 'There is no such example.')
  const keyId = await exampleKey(ownerId)
  const starter = { ownerId, keyId, grants: await readCallerGrants(keyId) }
  return (await startJob(starter, { ...request, idempotencyKey, wait: false }, { origin: 'dashboard', by })).job
}
