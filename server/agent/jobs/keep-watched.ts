import { LRUCache } from 'lru-cache'
import { executeStatement } from '../../db'
import { statement } from '../../kit/statement'

/** How long a job is watched after its watcher was last seen, and how often that is written. */
const WATCHED_S = 10
const MARK_MS = 3_000

/** Jobs whose watcher was seen lately: those of this process share one write. */
const marked = new LRUCache<string, true>({ max: 10_000, ttl: MARK_MS })

const MARK = statement({
  name: 'agent_mark_watched',
  sql: `INSERT INTO watched_job (job_id, until) VALUES ($1, now() + make_interval(secs => $2))
    ON CONFLICT (job_id) DO UPDATE SET until = excluded.until`,
  params: ['uuid', 'float8'],
})

/**
 * Says that somebody watches a job, so that its workers write down how its steps in progress go. To
 * be repeated while one watches; cheap.
 */
export async function keepWatched(jobId: string): Promise<void> {
  if (marked.has(jobId)) return
  marked.set(jobId, true)
  await executeStatement(MARK, [jobId, WATCHED_S]).catch((error: unknown) => {
    marked.delete(jobId)
    throw error
  })
}
