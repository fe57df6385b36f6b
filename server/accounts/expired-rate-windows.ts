import { executeStatement, runRead } from '../db'
import { deletionTask, type RetentionTask } from '../kit/retention-task'
import { statement } from '../kit/statement'

const STEP = 500

/**
 * Windows that ended long ago. Those of keys and owners stay: there is one each, and each of their
 * requests looks it up.
 */
const OLD = `SELECT id FROM rate_window WHERE id NOT LIKE 'key:%' AND id NOT LIKE 'owner:%' AND started_at < now() - interval '1 hour'`

const COUNT = statement({
  name: 'expired_rate_windows_count',
  sql: `SELECT count(*)::int AS n FROM (${OLD}) o`,
  params: [],
  columns: { n: 'int' },
})
const DELETE = statement({
  name: 'expired_rate_windows_delete',
  sql: `DELETE FROM rate_window WHERE id IN (${OLD} LIMIT ${STEP} FOR UPDATE SKIP LOCKED)`,
  params: [],
})

/**
 * Counters of attempts by addresses and e-mails that were not seen for an hour: strangers make as
 * many as they like.
 */
export const expiredRateWindows = (): RetentionTask =>
  deletionTask('rate counters', {
    count: () => runRead(COUNT, []),
    remove: () => executeStatement(DELETE, []),
    perStep: STEP,
  })
