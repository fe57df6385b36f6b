import { executeStatement, runRead } from '../db'
import { deletionTask, type RetentionTask } from '../kit/retention-task'
import { statement } from '../kit/statement'

const STEP = 500

/** Days that the counts of refused requests are kept, which their owners look at. */
export const REFUSALS_KEPT_DAYS = 35

// Refused requests are few, and the others the service's operators alone look at.
const OLD = `FROM request_hour WHERE hour < now() - interval '8 days'
    AND (status < 400 OR hour < now() - interval '${REFUSALS_KEPT_DAYS} days')`

const COUNT = statement({
  name: 'expired_request_counts_count',
  sql: `SELECT count(*)::int AS n ${OLD}`,
  params: [],
  columns: { n: 'int' },
})
const DELETE = statement({
  name: 'expired_request_counts_delete',
  sql: `DELETE FROM request_hour WHERE (hour, owner_id, key_id, status, limit_name) IN (
    SELECT hour, owner_id, key_id, status, limit_name ${OLD} ORDER BY hour LIMIT ${STEP} FOR UPDATE SKIP LOCKED)`,
  params: [],
})

/** Counts of requests by hour that are older than eight days; of refused ones, than 35. */
export const expiredRequestCounts = (): RetentionTask =>
  deletionTask('request counts', {
    count: () => runRead(COUNT, []),
    remove: () => executeStatement(DELETE, []),
    perStep: STEP,
  })
