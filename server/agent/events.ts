import type { JobView, StepView } from './shape'
import { isOver } from './states'
import { getJob } from './status'
import { stepsAfter } from './steps'
import { watchJob } from './watch'

/** What a watcher of a job hears: each step once, and how the job stands whenever that changed. */
export type JobEvent = { kind: 'step'; step: StepView } | { kind: 'status'; job: JobView }

const PAGE = 100

/**
 * A job's steps from after `after` on, and its status, as they happen. Ends when the job has finished.
 * Throws `not_found`, also for another owner's, before the first event.
 */
export async function* jobEvents(
  ownerId: number,
  jobId: string,
  { after, signal }: { after: number; signal: AbortSignal },
): AsyncGenerator<JobEvent> {
  let last = after
  let told = ''
  for await (const stand of watchJob(jobId, signal)) {
    for (let page = await stepsAfter(ownerId, jobId, { after: last, limit: PAGE }); page.length > 0; ) {
      for (const step of page) yield { kind: 'step', step }
      last = page.at(-1)?.index ?? last
      page = page.length < PAGE ? [] : await stepsAfter(ownerId, jobId, { after: last, limit: PAGE })
    }
    const job = await getJob(ownerId, jobId)
    const now = JSON.stringify([job.status, job.runId, job.awaitingInput?.toolCallId])
    if (now !== told) yield { kind: 'status', job }
    told = now
    // A step written between the two looks is heard of at the next one.
    if (isOver(job.status) && stand.lastStep <= last) return
  }
}
