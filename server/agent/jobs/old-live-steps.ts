import { runRead, runStatement } from '../../db'
import type { RetentionTask } from '../../kit/retention-task'
import { statement } from '../../kit/statement'

/**
 * What a worker that was killed left behind. No step takes a day, and nobody watches a job for an
 * hour without being seen.
 */
const OLD_STEPS = `started_at < now() - interval '1 day'`
const OLD_TEXTS = `written_at < now() - interval '1 day'`
const OLD_WATCHES = `until < now() - interval '1 hour'`

const COUNT = statement({
  name: 'agent_old_live_count',
  sql: `SELECT ((SELECT count(*) FROM live_step WHERE ${OLD_STEPS}) + (SELECT count(*) FROM live_text WHERE ${OLD_TEXTS})
      + (SELECT count(*) FROM watched_job WHERE ${OLD_WATCHES}))::int AS n`,
  params: [],
  columns: { n: 'int' },
})

const STEP = statement({
  name: 'agent_old_live_step',
  sql: `WITH steps AS (DELETE FROM live_step WHERE ${OLD_STEPS} RETURNING 1),
    texts AS (DELETE FROM live_text WHERE ${OLD_TEXTS} RETURNING 1),
    watches AS (DELETE FROM watched_job WHERE ${OLD_WATCHES} RETURNING 1)
    SELECT ((SELECT count(*) FROM steps) + (SELECT count(*) FROM texts) + (SELECT count(*) FROM watches))::int AS deleted`,
  params: [],
  columns: { deleted: 'int' },
})

/** How steps in progress went, where the worker that made them could not delete it. */
export function oldLiveSteps(): RetentionTask {
  return {
    name: 'steps in progress of agent runs',
    count: async () => (await runRead(COUNT, [], { withinMs: 60_000 }))[0]?.n ?? 0,
    step: async () => ({ deleted: (await runStatement(STEP, []))[0]?.deleted ?? 0, more: false }),
  }
}
