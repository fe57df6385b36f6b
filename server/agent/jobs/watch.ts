import { setTimeout as sleep } from 'node:timers/promises'
import { runStatement } from '../../db'
import { makeBatcher } from '../../kit/batch'
import { statement } from '../../kit/statement'
import { JobStatus } from '../shape'

/** How often watched jobs are read. All watchers in a process share one query. */
const INTERVAL_MS = 200

/** What changes whenever anything about a job does. */
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

async function readSnapshots(ids: string[]): Promise<(JobSnapshot | null)[]> {
  const rows = await runStatement(SNAPSHOTS, [[...new Set(ids)]], { repeatable: false })
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.map((id) => {
    const row = byId.get(id)
    return row ? { ...row, lastStep: row.lastStep ?? -1, updatedAt: row.updatedAt.getTime() } : null
  })
}

/** A job's snapshot; null when the job does not exist. Concurrent callers share a query. */
export const readJobSnapshot = makeBatcher(readSnapshots)

/**
 * A job's snapshot, now and after each change, until the signal aborts; with `isEach` also without
 * a change. Goes on after the database was unavailable.
 */
export async function* watchJob(jobId: string, signal: AbortSignal, isEach = false): AsyncGenerator<JobSnapshot> {
  let before = ''
  while (!signal.aborted) {
    const snapshot = await readJobSnapshot(jobId).catch(() => undefined)
    if (snapshot === null) return
    const now = snapshot ? JSON.stringify(snapshot) : before
    if (snapshot && (isEach || now !== before)) yield snapshot
    before = now
    await sleep(INTERVAL_MS, undefined, { signal }).catch(() => {})
  }
}

/**
 * Waits until a run has finished or needs input. False when it did not in time, or the client
 * disconnected.
 */
export async function waitForRun(
  { jobId, runId }: { jobId: string; runId: string },
  { withinMs, gone }: { withinMs: number; gone: AbortSignal },
): Promise<boolean> {
  const signal = AbortSignal.any([gone, AbortSignal.timeout(withinMs)])
  for await (const snapshot of watchJob(jobId, signal)) {
    if (snapshot.runId !== runId || snapshot.status !== 'running') return true
  }
  return false
}
