import { executeStatement, runRead } from '../db'
import type { RetentionTask } from '../kit/retention-task'
import { statement } from '../kit/statement'

const STEP = 500
const WITHIN_MS = 60_000

/** How long a response is kept for its Idempotency-Key, hours. */
const HOURS = 24

/** Stored responses of key `key` that are too old. */
const oldOf = (key: string) => `SELECT i.key_id, i.token FROM idempotency i
  WHERE i.key_id = ${key} AND i.status IS NOT NULL AND i.created_at < now() - interval '${HOURS} hours'`

/** Keys that have stored responses, each found through the index. */
const KEYS = statement({
  name: 'expired_responses_keys',
  sql: `WITH RECURSIVE k AS (
    (SELECT key_id FROM idempotency WHERE key_id > $1 ORDER BY key_id LIMIT 1)
    UNION ALL SELECT (SELECT i.key_id FROM idempotency i WHERE i.key_id > k.key_id ORDER BY i.key_id LIMIT 1)
      FROM k WHERE k.key_id IS NOT NULL
  ) SELECT key_id FROM k WHERE key_id IS NOT NULL LIMIT 100`,
  params: ['int'],
  columns: { key_id: 'int' },
})

const COUNT = statement({
  name: 'expired_responses_count',
  sql: `SELECT count(*)::int AS n FROM (${oldOf('$1')}) o`,
  params: ['int'],
  columns: { n: 'int' },
})

const DELETE = statement({
  name: 'expired_responses_delete',
  sql: `DELETE FROM idempotency d USING (${oldOf('$1')} ORDER BY i.created_at LIMIT ${STEP} FOR UPDATE SKIP LOCKED) o
    WHERE d.key_id = o.key_id AND d.token = o.token`,
  params: ['int'],
})

/** What was stored in hours that no longer count, of every owner. */
const FORGET_HOURS = statement({
  name: 'expired_responses_hours',
  sql: `DELETE FROM idempotency_hour WHERE hour < now() - interval '${HOURS + 1} hours'`,
  params: [],
})

/** Responses stored for Idempotency-Keys a day ago. They are never deleted for their number. */
export function expiredResponses(): RetentionTask {
  const keysAfter = async (last: number) =>
    (await runRead(KEYS, [last], { withinMs: WITHIN_MS })).map((row) => row.key_id)
  const todo: number[] = []
  let last = 0
  const count = async () => {
    let sum = 0
    for (let keys = await keysAfter(0); keys.length > 0; keys = await keysAfter(keys.at(-1) ?? 0))
      for (const key of keys) sum += (await runRead(COUNT, [key], { withinMs: WITHIN_MS }))[0]?.n ?? 0
    return sum
  }
  const step = async () => {
    if (todo.length === 0) todo.push(...(await keysAfter(last)))
    const key = todo[0]
    if (key === undefined) {
      await executeStatement(FORGET_HOURS, [])
      return { deleted: 0, more: false }
    }
    last = key
    const deleted = await executeStatement(DELETE, [key])
    if (deleted < STEP) todo.shift()
    return { deleted, more: true }
  }
  return { name: 'idempotency answers', count, step }
}
