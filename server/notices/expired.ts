import { executeStatement, runRead } from '../db'
import { deletionTask, type RetentionTask } from '../kit/retention-task'
import { statement } from '../kit/statement'

const KEPT_DAYS = 90
const STEP = 500

const OLD = `FROM notice WHERE created_at < now() - interval '${KEPT_DAYS} days'`

const COUNT = statement({
  name: 'expired_notices_count',
  sql: `SELECT count(*)::int AS n ${OLD}`,
  params: [],
  columns: { n: 'int' },
})
const DELETE = statement({
  name: 'expired_notices_delete',
  sql: `DELETE FROM notice WHERE id IN (SELECT id ${OLD} ORDER BY created_at LIMIT ${STEP} FOR UPDATE SKIP LOCKED)`,
  params: [],
})

/** Notices that are older than 90 days. */
export const expiredNotices = (): RetentionTask =>
  deletionTask('notices', {
    count: () => runRead(COUNT, []),
    remove: () => executeStatement(DELETE, []),
    perStep: STEP,
  })
