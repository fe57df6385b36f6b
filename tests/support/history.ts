import { bulkQuery } from './bulk-query'
import { chainAgain } from './ledger-chain'

type History = {
  ownerId: number
  keyIds: readonly number[]
  count: number
  /** Days over which the calls are spread, ending yesterday. */
  days?: number
  /** False where nothing reads the ledger: its rows have no chain and receipts no seal. */
  isChained?: boolean
}

const NAMES = [
  'web_search',
  'web_read_url',
  'crypto_get_prices',
  'northwind/gale-4-mini',
  'forum_search',
  'web_screenshot',
]

/**
 * Gives an owner finished calls as months of use would have left them: receipts with their charges
 * in the ledger, in the keys' spend and in the daily sums, and a grant that pays for them. One in
 * 50 failed, one in 97 is void, one in 1,000 is of a rare tool, one in 10 is a chat.
 */
export async function fillHistory({ ownerId, keyIds, count, days = 30, isChained = true }: History): Promise<void> {
  await bulkQuery(
    `WITH call AS (
       SELECT n, date_trunc('day', now(), 'UTC') - n * make_interval(days => $4) / $3 AS at,
         CASE WHEN n % 50 = 0 THEN 'failed' WHEN n % 97 = 0 THEN 'void' ELSE 'ok' END AS status,
         ($2::int[])[1 + n % cardinality($2::int[])] AS key_id
       FROM generate_series(1, $3::int) n
     ), done AS (
       INSERT INTO receipt (id, at, started_at, held, charged, owner_id, key_id, status, channel, product, what, detail, seal)
         SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7' || lpad(to_hex(n % 4096), 3, '0')
             || '8' || lpad(to_hex($1::int), 5, '0') || lpad(to_hex(n), 10, '0'))::uuid,
           at, at - interval '1 second', 5, CASE status WHEN 'void' THEN 0 ELSE 1 + n % 5 END, $1, key_id, status,
           CASE n % 10 WHEN 0 THEN 'chat' ELSE 'rest' END, CASE n % 10 WHEN 0 THEN 'chat' ELSE 'tool' END,
           CASE WHEN n % 1000 = 999 THEN 'rare_tool' ELSE ($5::text[])[1 + n % cardinality($5::text[])] END,
           '{"durationMs": 12}', 0
         FROM call RETURNING id, at, charged, key_id
     ), charge AS (
       INSERT INTO ledger (at, amount, hold_id, owner_id, key_id)
         SELECT at, -charged, id, $1, key_id FROM done WHERE charged > 0
     ), paid AS (
       INSERT INTO ledger (at, amount, owner_id, note) SELECT min(at), sum(charged), $1, 'history' FROM done
     )
     UPDATE "key" k SET spent = k.spent + d.sum FROM (SELECT key_id, sum(charged) FROM done GROUP BY key_id) d
     WHERE k.id = d.key_id`,
    [ownerId, keyIds, count, days, NAMES],
  )
  if (isChained) await chainAgain(ownerId)
}
