import { executeStatement, runRead } from '../../db'
import { env } from '../../env'
import { deletionTask, type RetentionTask } from '../../kit/retention-task'
import { statement } from '../../kit/statement'

const STEP = 100
/** Shells that nobody has used since, of conversations that ended before. */
const OLD = `SELECT p.job_id FROM pod p JOIN job j ON j.id = p.job_id
    WHERE p.updated_at < $1 AND j.updated_at < $1 AND j.status IN ('completed', 'failed', 'cancelled')`

const COUNT = statement({
  name: 'old_pods_count',
  sql: `SELECT count(*)::int AS n FROM (${OLD}) o`,
  params: ['timestamptz'],
  columns: { n: 'int' },
})
const DELETE = statement({
  name: 'old_pods_delete',
  sql: `DELETE FROM pod WHERE job_id IN (${OLD} LIMIT ${STEP} FOR UPDATE OF p SKIP LOCKED)`,
  params: ['timestamptz'],
})

/**
 * Files of the shells of conversations that ended more than RETAIN_RUN_OUTPUT_DAYS ago. What people
 * attached and files that results name are hosted, and stay.
 */
export function oldPods(days = env().RETAIN_RUN_OUTPUT_DAYS): RetentionTask | null {
  if (days === 0) return null
  const cutoff = new Date(Date.now() - days * 86_400_000)
  return deletionTask('files of shells', {
    count: () => runRead(COUNT, [cutoff], { withinMs: 60_000 }),
    remove: () => executeStatement(DELETE, [cutoff]),
    perStep: STEP,
  })
}
