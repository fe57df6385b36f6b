import { executeStatement, runRead } from '../db'
import { deletionTask, type RetentionTask } from '../kit/retention-task'
import { statement } from '../kit/statement'

const STEP = 500

const OLD = `FROM request_hour WHERE hour < now() - interval '8 days'`

const COUNT = statement({
  name: 'expired_request_counts_count',
  sql: `SELECT count(*)::int AS n ${OLD}`,
  params: [],
  columns: { n: 'int' },
})
const DELETE = statement({
  name: 'expired_request_counts_delete',
  sql: `DELETE FROM request_hour WHERE (hour, owner_id, key_id, status) IN (
    SELECT hour, owner_id, key_id, status ${OLD} ORDER BY hour LIMIT ${STEP} FOR UPDATE SKIP LOCKED)`,
  params: [],
})

/** Counts of requests by hour that are older than eight days. */
export const expiredRequestCounts = (): RetentionTask =>
  deletionTask('request counts', {
    count: () => runRead(COUNT, []),
    remove: () => executeStatement(DELETE, []),
    perStep: STEP,
  })
