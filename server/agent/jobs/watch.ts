import { runStatement } from '../../db'
import { makeBatcher } from '../../kit/batch'
import { statement } from '../../kit/statement'
import { JobStatus } from '../shape'
import { type JobSnapshot, makeJobFollowers } from './follow-jobs'

const SNAPSHOTS = statement({
  name: 'agent_stand',
  sql: `SELECT j.id, j.status, j.run_id AS "runId", j.updated_at AS "updatedAt", j.step_count AS steps,
      (SELECT max(s.index) FROM step s WHERE s.job_id = j.id) AS "lastStep"
    FROM job j WHERE j.id = ANY ($1::uuid[]) AND ($2 OR j.updated_at > now() - interval '5 seconds')`,
  params: ['uuid[]', 'boolean'],
  columns: {
    id: 'uuid',
    status: JobStatus.options,
    runId: 'uuid',
    updatedAt: 'timestamptz',
    steps: 'int',
    lastStep: 'int?',
  },
  isPrepared: true,
})

/** Jobs as they are now: all of some, or those of them that changed in the last seconds. */
async function readSnapshots(ids: string[], isWhole: boolean): Promise<Map<string, JobSnapshot>> {
  const rows = await runStatement(SNAPSHOTS, [ids, isWhole], { repeatable: false })
  return new Map(
    rows.map((row) => [row.id, { ...row, lastStep: row.lastStep ?? -1, updatedAt: row.updatedAt.getTime() }]),
  )
}

/** A job's snapshot; null when the job does not exist. Concurrent callers share a query. */
export const readJobSnapshot = makeBatcher(async (ids: string[]) => {
  const found = await readSnapshots([...new Set(ids)], true)
  return ids.map((id) => found.get(id) ?? null)
})

const followJob = makeJobFollowers(readSnapshots)

/**
 * A job's snapshot, now and after each change, until the signal aborts; with `isEach` also without
 * a change. Goes on after the database was unavailable.
 */
export async function* watchJob(jobId: string, signal: AbortSignal, isEach = false): AsyncGenerator<JobSnapshot> {
  if (signal.aborted) return
  let snapshot: JobSnapshot | null | undefined = await readJobSnapshot(jobId).catch(() => undefined)
  const follower = followJob(jobId, snapshot)
  signal.addEventListener('abort', follower.leave, { once: true })
  try {
    while (!signal.aborted && snapshot !== null) {
      if (snapshot) yield snapshot
      if (!signal.aborted) snapshot = await follower.next(snapshot, isEach)
    }
  } finally {
    signal.removeEventListener('abort', follower.leave)
    follower.leave()
  }
}

/**
 * Waits for the next step of a run, or another status. False when neither came in time, or the
 * client disconnected.
 */
export async function waitForChange(
  { jobId, runId, usage }: { jobId: string; runId: string; usage: { steps: number } },
  { withinMs, gone }: { withinMs: number; gone: AbortSignal },
): Promise<boolean> {
  const signal = AbortSignal.any([gone, AbortSignal.timeout(withinMs)])
  let first: JobSnapshot | null = null
  for await (const snapshot of watchJob(jobId, signal)) {
    first ??= snapshot
    const isNew = snapshot.steps !== usage.steps || snapshot.lastStep !== first.lastStep
    if (isNew || snapshot.runId !== runId || snapshot.status !== 'running') return true
  }
  return false
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
