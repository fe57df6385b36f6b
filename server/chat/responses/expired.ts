import { executeStatement, runRead } from '../../db'
import type { RetentionTask } from '../../kit/retention-task'
import { statement } from '../../kit/statement'

const STEP = 200
const WITHIN_MS = 60_000

const EXPIRED = 'SELECT id FROM model_response WHERE expires_at < now()'
const LEFT = 'SELECT r.id FROM owner o JOIN model_response r ON r.owner_id = o.id WHERE o.deleted_at IS NOT NULL'

const COUNT = statement({
  name: 'expired_model_response_count',
  sql: `SELECT count(*)::int AS n FROM (${EXPIRED} UNION ${LEFT}) r`,
  params: [],
  columns: { n: 'int' },
})
const DELETE_EXPIRED = statement({
  name: 'expired_model_response_delete',
  sql: `DELETE FROM model_response WHERE id IN (${EXPIRED} ORDER BY expires_at LIMIT ${STEP} FOR UPDATE SKIP LOCKED)`,
  params: [],
})
const DELETE_LEFT = statement({
  name: 'deleted_owners_model_responses',
  sql: `DELETE FROM model_response WHERE id IN (${LEFT} LIMIT ${STEP} FOR UPDATE OF r SKIP LOCKED)`,
  params: [],
})

/** Responses and conversations whose time is over, and those of deleted accounts. */
export const expiredModelResponses = (): RetentionTask => ({
  name: 'kept responses',
  count: async () => (await runRead(COUNT, [], { withinMs: WITHIN_MS }))[0]?.n ?? 0,
  step: async () => {
    const expired = await executeStatement(DELETE_EXPIRED, [])
    const left = await executeStatement(DELETE_LEFT, [])
    return { deleted: expired + left, more: expired === STEP || left === STEP }
  },
})
