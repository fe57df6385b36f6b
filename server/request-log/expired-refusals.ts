import { executeStatement, runRead } from '../db'
import { deletionTask, type RetentionTask } from '../kit/retention-task'
import { statement } from '../kit/statement'
import { REFUSALS_KEPT_DAYS } from './expired-request-counts'

const STEP = 500

const OLD = `FROM refusal WHERE at < now() - interval '${REFUSALS_KEPT_DAYS} days'`

const COUNT = statement({
  name: 'expired_refusals_count',
  sql: `SELECT count(*)::int AS n ${OLD}`,
  params: [],
  columns: { n: 'int' },
})
const DELETE = statement({
  name: 'expired_refusals_delete',
  sql: `DELETE FROM refusal WHERE id IN (SELECT id ${OLD} ORDER BY at LIMIT ${STEP} FOR UPDATE SKIP LOCKED)`,
  params: [],
})

/** Refusals that are older than 35 days. */
export const expiredRefusals = (): RetentionTask =>
  deletionTask('refusals', {
    count: () => runRead(COUNT, []),
    remove: () => executeStatement(DELETE, []),
    perStep: STEP,
  })
