import { setTimeout as sleep } from 'node:timers/promises'
import { runStatement } from '../../db'
import { makeBatcher } from '../../kit/batch'
import { statement } from '../../kit/statement'
import { JobStatus } from '../shape'

/** How often a watched job is looked at. All that are watched in a process share one look. */
const EVERY_MS = 200

/** Where a job stands: what changes when anything about it does. */
export type JobSnapshot = { status: JobStatus; runId: string; lastStep: number; updatedAt: number }

const SNAPSHOTS = statement({
  name: 'agent_stand',
  sql: `SELECT j.id, j.status, j.run_id AS "runId", j.updated_at AS "updatedAt",
      (SELECT max(s.index) FROM step s WHERE s.job_id = j.id) AS "lastStep"
    FROM job j WHERE j.id = ANY ($1::uuid[])`,
  params: ['uuid[]'],
  columns: { id: 'uuid', status: JobStatus.options, runId: 'uuid', updatedAt: 'timestamptz', lastStep: 'int?' },
  isPrepared: true,
})

async function lookAt(ids: string[]): Promise<(JobSnapshot | null)[]> {
  const rows = await runStatement(SNAPSHOTS, [[...new Set(ids)]], { repeatable: false })
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.map((id) => {
    const row = byId.get(id)
    return row ? { ...row, lastStep: row.lastStep ?? -1, updatedAt: row.updatedAt.getTime() } : null
  })
}

/** Where a job stands now; null when it is gone. Concurrent watchers share a query. */
export const readJobSnapshot = makeBatcher(lookAt)

/** Where a job stands now and whenever that has changed, until the signal aborts. Starts anew after a lost database. */
export async function* watchJob(jobId: string, signal: AbortSignal): AsyncGenerator<JobSnapshot> {
  let before = ''
  while (!signal.aborted) {
    const stand = await readJobSnapshot(jobId).catch(() => undefined)
    if (stand === null) return
    const now = stand ? JSON.stringify(stand) : before
    if (stand && now !== before) yield stand
    before = now
    await sleep(EVERY_MS, undefined, { signal }).catch(() => {})
  }
}

/** Waits until a run has finished or needs input; false when it did not within that time, or the caller left. */
export async function waitForRun(
  { jobId, runId }: { jobId: string; runId: string },
  { withinMs, gone }: { withinMs: number; gone: AbortSignal },
): Promise<boolean> {
  const signal = AbortSignal.any([gone, AbortSignal.timeout(withinMs)])
  for await (const stand of watchJob(jobId, signal)) {
    if (stand.runId !== runId || stand.status !== 'running') return true
  }
  return false
}
