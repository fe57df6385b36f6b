import { bulkQuery } from './bulk-query'
import { chainAgain } from './ledger-chain'

/**
 * Gives an owner `count` keys as years of use would have left them: one in 10 revoked, one in 4
 * with a lifetime budget, one in 5 tagged. Returns their ids; nobody has their secrets.
 */
export async function fillKeys(ownerId: number, count: number): Promise<number[]> {
  const rows = await bulkQuery<{ id: number }>(
    `WITH made AS (
       INSERT INTO "key" (owner_id, name, all_tools, llm, agent, tags, budget, revoked_at, created_at)
         SELECT $1, 'service ' || n, true, n % 2 = 0, n % 3 = 0,
           CASE WHEN n % 5 = 0 THEN ARRAY['team ' || n % 40] ELSE '{}'::text[] END,
           CASE WHEN n % 4 = 0 THEN 100000 END, CASE WHEN n % 10 = 9 THEN now() - interval '1 day' END,
           now() - n * interval '1 hour'
         FROM generate_series(1, $2::int) n
         RETURNING id
     ), secret AS (
       INSERT INTO key_secret (hash, key_id, last4)
         SELECT sha256(gen_random_uuid()::text::bytea), id, lpad(to_hex(id % 65536), 4, '0') FROM made
     )
     SELECT id FROM made`,
    [ownerId, count],
  )
  return rows.map(({ id }) => id)
}

type JobHistory = { ownerId: number; keyIds: readonly number[]; count: number; days?: number }

/**
 * Gives an owner finished agent runs, each with one turn, two steps and two receipts: one in 20
 * failed, one in 33 was cancelled. Limits, keys and ledger agree with what they were charged, and a
 * grant paid for it.
 */
export async function fillJobs({ ownerId, keyIds, count, days = 90 }: JobHistory): Promise<void> {
  await bulkQuery(
    `WITH run AS MATERIALIZED (
       SELECT n, gen_random_uuid() AS id, gen_random_uuid() AS run_id, now() - n * make_interval(days => $4) / $3 AS at,
         CASE WHEN n % 20 = 0 THEN 'failed' WHEN n % 33 = 0 THEN 'cancelled' ELSE 'completed' END AS status,
         ($2::int[])[1 + n % cardinality($2::int[])] AS key_id, 20 + n % 300 AS charged,
         (ARRAY['Compare the prices of', 'Write a report about', 'Watch the news on', 'Find homes near'])[1 + n % 4]
           || ' subject ' || n AS goal
       FROM generate_series(1, $3::int) n
     ), cap AS (
       INSERT INTO spend_limit (id, owner_id, cap, spent) SELECT id, $1, 5000, charged FROM run
     ), job AS (
       INSERT INTO job (id, owner_id, title, status, run_id, result, step_count, created_at, updated_at, key_id, mode,
           origin, credits, worked_ms, words)
         SELECT id, $1, goal, status, run_id, 'Done.', 2, at, at + interval '1 minute', key_id, 'autonomous',
           CASE WHEN n % 4 = 2 THEN 'schedule' ELSE 'api' END, charged, 60000 + n % 97 * 1000,
           array_to_tsvector(array_prepend('owner:' || $1::text, agent_words(goal))) FROM run
     ), turn AS (
       INSERT INTO turn (run_id, job_id, owner_id, number, key_id, idempotency_key, goal, mode, model, agent,
           capabilities, cap_credits, origin, status, result, created_at, ended_at)
         SELECT run_id, id, $1, 1, key_id, run_id::text, goal, 'autonomous', 'northwind/gale-4-mini', 'general', '{}',
           5000, 'api', status, 'Done.', at, at + interval '1 minute' FROM run
     ), step AS MATERIALIZED (
       SELECT id AS job_id, run_id, i, at + i * interval '10 seconds' AS at, gen_random_uuid() AS hold_id, key_id,
         CASE i WHEN 0 THEN charged - 1 ELSE 1 END AS charged
       FROM run, generate_series(0, 1) i
     ), written AS (
       INSERT INTO step (job_id, index, run_id, kind, name, hold_id, charged, input, output, started_at, ended_at)
         SELECT job_id, i, run_id, CASE i WHEN 0 THEN 'model' ELSE 'tool' END,
           CASE i WHEN 0 THEN 'northwind/gale-4-mini' ELSE 'web_search' END, hold_id, charged, '{}', '{}', at,
           at + interval '5 seconds' FROM step
     ), receipt AS (
       INSERT INTO receipt (id, at, started_at, held, charged, limit_id, owner_id, key_id, status, channel, product, what, detail, seal)
         SELECT hold_id, at, at - interval '1 second', charged, charged, job_id, $1, key_id, 'ok', 'agent',
           CASE i WHEN 0 THEN 'agent' ELSE 'tool' END, CASE i WHEN 0 THEN 'northwind/gale-4-mini' ELSE 'web_search' END,
           '{"durationMs": 12}', 0 FROM step
     ), charge AS (
       INSERT INTO ledger (at, amount, hold_id, owner_id, key_id) SELECT at, -charged, hold_id, $1, key_id FROM step
     ), paid AS (
       INSERT INTO ledger (at, amount, owner_id, note) SELECT min(at), sum(charged), $1, 'history' FROM step
     )
     UPDATE "key" k SET spent = k.spent + s.sum FROM (SELECT key_id, sum(charged) FROM step GROUP BY key_id) s
     WHERE k.id = s.key_id`,
    [ownerId, keyIds, count, days],
  )
  await chainAgain(ownerId)
}
