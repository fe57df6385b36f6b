import { executeStatement, runRead } from '../db'
import { env } from '../env'
import type { RetentionTask } from '../kit/retention-task'
import { statement } from '../kit/statement'

const STEP = 500
const WITHIN_MS = 60_000

/** Owners who turned the log off and of whom something is left, each found through the index. */
const WITHDRAWN = `WITH RECURSIVE k AS (
    (SELECT owner_id FROM request_log ORDER BY owner_id LIMIT 1)
    UNION ALL SELECT (SELECT l.owner_id FROM request_log l WHERE l.owner_id > k.owner_id ORDER BY l.owner_id LIMIT 1)
      FROM k WHERE k.owner_id IS NOT NULL
  ), withdrawn AS (SELECT o.id FROM k JOIN owner o ON o.id = k.owner_id WHERE NOT o.keeps_request_log)`
const OLD = `SELECT id FROM request_log WHERE at < now() - make_interval(days => $1)`
const LEFT = 'SELECT id FROM request_log WHERE owner_id IN (SELECT id FROM withdrawn)'

const COUNT = statement({
  name: 'expired_request_log_count',
  sql: `${WITHDRAWN} SELECT count(*)::int AS n FROM (${OLD} UNION ${LEFT}) l`,
  params: ['int'],
  columns: { n: 'int' },
})
const DELETE_OLD = statement({
  name: 'expired_request_log_delete',
  sql: `DELETE FROM request_log WHERE id IN (${OLD} ORDER BY at LIMIT ${STEP} FOR UPDATE SKIP LOCKED)`,
  params: ['int'],
})
const DELETE_LEFT = statement({
  name: 'withdrawn_request_log_delete',
  sql: `${WITHDRAWN} DELETE FROM request_log WHERE id IN (${LEFT} LIMIT ${STEP} FOR UPDATE SKIP LOCKED)`,
  params: [],
})

/**
 * Requests and responses that were kept for RETAIN_REQUEST_LOG_DAYS, and what is left of owners who
 * turned the log off.
 */
export const expiredRequestLog = (days = env().RETAIN_REQUEST_LOG_DAYS): RetentionTask => ({
  name: 'request log',
  count: async () => (await runRead(COUNT, [days], { withinMs: WITHIN_MS }))[0]?.n ?? 0,
  step: async () => {
    const old = await executeStatement(DELETE_OLD, [days])
    const left = await executeStatement(DELETE_LEFT, [])
    return { deleted: old + left, more: old === STEP || left === STEP }
  },
})
