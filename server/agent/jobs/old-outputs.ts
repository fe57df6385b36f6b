import { runRead, runStatement } from '../../db'
import { env } from '../../env'
import type { RetentionTask } from '../../kit/retention-task'
import { statement } from '../../kit/statement'

/** Turns whose jobs one statement covers. */
const TURNS_PER_STEP = 10
const WITHIN_MS = 60_000

/** A tool result worth deleting: a large one. The note that replaces it is small. */
const LARGE = `s.kind = 'tool' AND pg_column_size(s.output) > 200`

/** Replaces a result. The model of a later turn reads it too. */
const noteFor = (days: number) => `This result was deleted ${days} days after the conversation ended.`

/** Turns that ended before this have been covered. */
const BEGIN = `(SELECT coalesce(deleted, '-infinity') FROM retention WHERE name = 'run_outputs')`

/** The end of the next range of ended turns: some turns later, or the cutoff. */
const END = `coalesce((SELECT t.ended_at FROM turn t WHERE t.ended_at > ${BEGIN} AND t.ended_at < $1
    ORDER BY t.ended_at OFFSET ${TURNS_PER_STEP} LIMIT 1), $1)`

/**
 * Large results of jobs with a turn that ended in a range, and without activity until the cutoff.
 */
const oldIn = (from: string, to: string) => `s.job_id IN (
    SELECT j.id FROM turn t JOIN job j ON j.id = t.job_id
    WHERE t.ended_at >= ${from} AND t.ended_at < ${to} AND j.status IN ('completed', 'failed', 'cancelled') AND j.updated_at < $1)
  AND ${LARGE}`

const STEP = statement({
  name: 'agent_old_outputs_step',
  sql: `WITH stretch AS MATERIALIZED (SELECT ${BEGIN} AS begin, ${END} AS "end" WHERE ${BEGIN} < $1),
  cleaned AS (
    UPDATE step s SET output = to_jsonb($2::text)
    WHERE ${oldIn('(SELECT begin FROM stretch)', '(SELECT "end" FROM stretch)')} RETURNING 1
  ), moved AS (UPDATE retention r SET deleted = stretch."end" FROM stretch WHERE r.name = 'run_outputs')
  SELECT (SELECT count(*)::int FROM cleaned) AS deleted, coalesce((SELECT "end" < $1 FROM stretch), false) AS more`,
  params: ['timestamptz', 'text'],
  columns: { deleted: 'int', more: 'boolean' },
})

const COUNT = statement({
  name: 'agent_old_outputs_count',
  sql: `SELECT count(*)::int AS n FROM step s WHERE ${oldIn(BEGIN, '$1')}`,
  params: ['timestamptz'],
  columns: { n: 'int' },
})

/**
 * Deletes tool results of conversations that ended more than RETAIN_RUN_OUTPUT_DAYS ago, and leaves
 * a note. Replies of the model, the calls and their charges are kept.
 */
export function oldOutputs(days = env().RETAIN_RUN_OUTPUT_DAYS): RetentionTask | null {
  if (days === 0) return null
  const cutoff = new Date(Date.now() - days * 86_400_000)
  const count = async () => {
    return (await runRead(COUNT, [cutoff], { withinMs: WITHIN_MS }))[0]?.n ?? 0
  }
  const step = async () => {
    const [row] = await runStatement(STEP, [cutoff, noteFor(days)])
    return row ?? { deleted: 0, more: false }
  }
  return { name: 'tool results of agent runs', count, step }
}
