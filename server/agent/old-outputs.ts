import { pool, read } from '../db'
import { env } from '../env'
import type { Cleaning } from '../kit/cleaning'

/** Jobs whose steps one statement looks at. */
const JOBS = 10
const WITHIN_MS = 60_000

const ENDED = `j.status IN ('completed', 'failed', 'cancelled')`

/** A tool's result that is worth deleting: not small, and not the note of an earlier deletion. */
const LARGE = `s.kind = 'tool' AND pg_column_size(s.output) > 200`

/** What stands in a result's place; a follow-up's model reads it too. */
const noteOf = (days: number) => `This result was deleted ${days} days after the conversation ended.`

/** From where on ended jobs were not looked at yet. */
const BEGIN = `(SELECT coalesce(deleted, '-infinity') FROM retention WHERE name = 'run_outputs')`

/** The end of the next stretch of ended jobs: some later jobs further, or the cutoff. */
const END = `coalesce((SELECT j.updated_at FROM job j WHERE ${ENDED} AND j.updated_at > ${BEGIN} AND j.updated_at < $1
    ORDER BY j.updated_at OFFSET ${JOBS} LIMIT 1), $1)`

const STEP = `WITH stretch AS MATERIALIZED (
    SELECT ${BEGIN} AS begin, ${END} AS "end" WHERE ${BEGIN} < $1
  ), cleaned AS (
    UPDATE step s SET output = to_jsonb($2::text) FROM job j, stretch
    WHERE s.job_id = j.id AND ${ENDED} AND j.updated_at >= stretch.begin AND j.updated_at < stretch."end" AND ${LARGE} RETURNING 1
  ), moved AS (UPDATE retention r SET deleted = stretch."end" FROM stretch WHERE r.name = 'run_outputs')
  SELECT (SELECT count(*)::int FROM cleaned) AS deleted, coalesce((SELECT "end" < $1 FROM stretch), false) AS more`

/**
 * Results of tools in conversations that ended more than RETAIN_RUN_OUTPUT_DAYS ago: a note stands in their place. What
 * the model said, the calls and their charges stay.
 */
export function oldOutputs(days = env().RETAIN_RUN_OUTPUT_DAYS): Cleaning | null {
  if (days === 0) return null
  const cutoff = new Date(Date.now() - days * 86_400_000)
  const count = async () => {
    const sql = `SELECT count(*)::int AS n FROM job j JOIN step s ON s.job_id = j.id
      WHERE ${ENDED} AND j.updated_at >= ${BEGIN} AND j.updated_at < $1 AND ${LARGE}`
    return (await read<{ n: number }>(sql, [cutoff], { withinMs: WITHIN_MS }))[0]?.n ?? 0
  }
  const step = async () => {
    const { rows } = await pool().query<{ deleted: number; more: boolean }>(STEP, [cutoff, noteOf(days)])
    return rows[0] ?? { deleted: 0, more: false }
  }
  return { name: 'results of tools in agent runs', count, step }
}
