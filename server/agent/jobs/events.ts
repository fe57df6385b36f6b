import type { JobView, StepView } from '../shape'
import { stepsAfter } from './list-steps'
import { hasFinished } from './states'
import { getJob } from './status'
import { readJobSnapshot, watchJob } from './watch'

/**
 * What a watcher of a job hears: each step once, and how the job stands whenever that changed. `end`: the place of the
 * event that says that a run has ended.
 */
export type JobEvent = { kind: 'step'; step: StepView } | { kind: 'status'; job: JobView; end: EventPosition | null }

/** How far a watcher has read: the last step, and the run whose end it has seen. */
export type EventPosition = { after: number; endedRun: string | null }

const PAGE = 100

/**
 * The steps that can be told now, so that they come in order and a watcher who comes back names the last one. Calls
 * made side by side end in any order: one that is done waits for those before it, unless they will never come, because
 * the model has gone on since or the run is over.
 */
export function stepsInOrder(steps: readonly StepView[], last: number, isDone: boolean): StepView[] {
  const latestThought = steps.findLast(({ kind }) => kind !== 'tool' && kind !== 'question' && kind !== 'plan')
  let next = last + 1
  const told: StepView[] = []
  for (const step of steps) {
    const isFinal = isDone || step.index <= (latestThought?.index ?? -1)
    if (step.index !== next && !isFinal) break
    told.push(step)
    next = step.index + 1
  }
  return told
}

/**
 * True unless a job has finished and a watcher knows it all. A final answer is the end of its run; one that was
 * cancelled or failed may have ended without a further step, so that only the event of its end shows that it was seen.
 */
export async function hasNewEvents(jobId: string, { after, endedRun }: EventPosition): Promise<boolean> {
  const stand = await readJobSnapshot(jobId)
  if (!stand || !hasFinished(stand.status) || stand.lastStep > after) return true
  if (endedRun !== null) return endedRun !== stand.runId
  return after < 0 || stand.status !== 'completed'
}

/**
 * A job's steps from after `after` on, and its status, as they happen. Ends when the job has finished.
 * Throws `not_found`, also for another owner's, before the first event.
 */
export async function* streamJobEvents(
  ownerId: number,
  jobId: string,
  { after, signal }: { after: number; signal: AbortSignal },
): AsyncGenerator<JobEvent> {
  let last = after
  let told = ''
  for await (const stand of watchJob(jobId, signal)) {
    for (let more = true; more; ) {
      const page = await stepsAfter(ownerId, jobId, { after: last, limit: PAGE })
      const ready = stepsInOrder(page, last, hasFinished(stand.status))
      for (const step of ready) yield { kind: 'step', step }
      last = ready.at(-1)?.index ?? last
      more = ready.length === PAGE
    }
    const job = await getJob(ownerId, jobId)
    // The run ended between the two looks: its last steps come first, at the next one.
    if (hasFinished(job.status) && !hasFinished(stand.status)) continue
    const now = JSON.stringify([job.status, job.runId, job.awaitingInput?.toolCallId])
    const end = hasFinished(job.status) ? { after: last, endedRun: job.runId } : null
    if (now !== told) yield { kind: 'status', job, end }
    told = now
    if (end) return
  }
}
