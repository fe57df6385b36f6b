import { LRUCache } from 'lru-cache'
import { runStatement } from '../../db'
import { statement } from '../../kit/statement'

/** What may be kept of one account's responses together, bytes. */
const MAX_KEPT_BYTES = 4 * 1024 ** 3

/** How long another process may not know yet what was added here. */
const TTL_MS = 60_000

const SUM = statement({
  name: 'model_response_bytes',
  sql: 'SELECT coalesce(sum(bytes), 0)::bigint AS bytes FROM model_response WHERE owner_id = $1',
  params: ['int'],
  columns: { bytes: 'bigint' },
})

const readSum = async (ownerId: number): Promise<number> => Number((await runStatement(SUM, [ownerId]))[0]?.bytes ?? 0)

const sums = new LRUCache<number, number>({ max: 10_000, ttl: TTL_MS, fetchMethod: readSum })

/** Counts bytes of an account, before they are written; false: it keeps too much already. */
export async function takeKeptBytes(ownerId: number, bytes: number): Promise<boolean> {
  const sum = (await sums.fetch(ownerId)) ?? 0
  if (sum + bytes > MAX_KEPT_BYTES) return false
  sums.set(ownerId, sum + bytes, { noUpdateTTL: true })
  return true
}
