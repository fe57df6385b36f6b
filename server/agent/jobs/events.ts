import pLimit from 'p-limit'
import type { JobView, StepView } from '../shape'
import type { JobSnapshot } from './follow-jobs'
import { stepsAfter } from './list-steps'
import { type LiveEvent, makeLiveEvents } from './live-events'
import { hasFinished } from './states'
import { getJob } from './status'
import { readJobSnapshot, watchJob } from './watch'

/**
 * An event of a job: each step once, and the job whenever its status changed. `end`: the position
 * of the event that reports the end of a run. `live`: how a step in progress goes.
 */
export type JobEvent =
  | { kind: 'step'; step: StepView }
  | { kind: 'status'; job: JobView; end: EventPosition | null }
  | { kind: 'live'; event: LiveEvent }

/** How far a watcher has read: the last step, and the run whose end was reported. */
export type EventPosition = { after: number; endedRun: string | null }

const PAGE = 100

/**
 * The steps that can be sent now, in order, so that a reconnecting watcher only names the last one.
 * Parallel calls end in any order: a finished call waits for those before it, unless they will
 * never come because a later model step exists or the run has ended.
 */
export function stepsInOrder(steps: readonly StepView[], last: number, isDone: boolean): StepView[] {
  const latest = steps.findLast(({ kind }) => kind !== 'tool' && kind !== 'question' && kind !== 'plan')
  let next = last + 1
  const ready: StepView[] = []
  for (const step of steps) {
    const isFinal = isDone || step.index <= (latest?.index ?? -1)
    if (step.index !== next && !isFinal) break
    ready.push(step)
    next = step.index + 1
  }
  return ready
}

/**
 * False when a job has finished and the watcher knows all of it. The last step of a completed run
 * is its end. A cancelled or failed run may have ended without another step, so only the event of
 * its end shows that the watcher knows.
 */
export async function hasNewEvents(jobId: string, { after, endedRun }: EventPosition): Promise<boolean> {
  const snapshot = await readJobSnapshot(jobId)
  if (!snapshot || !hasFinished(snapshot.status) || snapshot.lastStep > after) return true
  if (endedRun !== null) return endedRun !== snapshot.runId
  return after < 0 || snapshot.status !== 'completed'
}

/**
 * How many watchers read at once: where something happens in all jobs, the first are served while
 * the last wait, and none waits for all.
 */
const oneOfSome = pLimit(32)

type Watcher = { ownerId: number; jobId: string; last: number; snapshot: JobSnapshot }

/** The next steps that can be sent, and the job once there are no more of them. */
const readNews = ({ ownerId, jobId, last, snapshot }: Watcher) =>
  oneOfSome(async () => {
    const hasMore = snapshot.lastStep > last
    const steps = hasMore ? await stepsAfter(ownerId, jobId, { after: last, limit: PAGE }) : []
    const ready = stepsInOrder(steps, last, hasFinished(snapshot.status))
    return { ready, job: ready.length === PAGE ? null : await getJob(ownerId, jobId) }
  })

/**
 * A job's steps after `after`, and its status, as they change; with `deltas` also how its steps in
 * progress go. Ends when the job has finished. Throws `not_found` before the first event, also for
 * another owner's job.
 */
export async function* streamJobEvents(
  ownerId: number,
  jobId: string,
  { after, signal, deltas }: { after: number; signal: AbortSignal; deltas: boolean },
): AsyncGenerator<JobEvent> {
  let last = after
  let sent = ''
  let seen = ''
  const live = deltas ? makeLiveEvents(ownerId, jobId) : null
  for await (const snapshot of watchJob(jobId, signal, deltas)) {
    const isSame = JSON.stringify(snapshot) === seen
    seen = JSON.stringify(snapshot)
    if (live && snapshot.status === 'running' && isSame) {
      for (const event of await live.next()) yield { kind: 'live', event }
      continue
    }
    let job: JobView | null = null
    while (!job) {
      const news = await readNews({ ownerId, jobId, last, snapshot })
      for (const step of news.ready) yield { kind: 'step', step }
      last = news.ready.at(-1)?.index ?? last
      job = news.job
    }
    // The run ended between the two reads. The next snapshot brings its last steps first.
    if (hasFinished(job.status) && !hasFinished(snapshot.status)) continue
    const now = JSON.stringify([job.status, job.runId, job.awaitingInput?.toolCallId])
    const end = hasFinished(job.status) ? { after: last, endedRun: job.runId } : null
    if (now !== sent) yield { kind: 'status', job, end }
    sent = now
    if (end) return
  }
}
