/** An asynchronous job that a client created at a simulated provider. */
export type SimulatedJob = {
  id: string
  prompt: string
  input: Record<string, unknown>
  /** Number of times its status was requested. */
  polls: number
  cancelled: boolean
}

const MAX_JOBS = 2_000
const jobs = new Map<string, SimulatedJob>()
let cancelled = 0
let created = 0

/** Creates a job. Only the newest are kept. */
export function createMediaJob(idPrefix: string, prompt: string, input: Record<string, unknown>): SimulatedJob {
  const job = { id: `${idPrefix}${++created}`, prompt, input, polls: 0, cancelled: false }
  jobs.set(job.id, job)
  const [oldest] = jobs.keys()
  if (jobs.size > MAX_JOBS && oldest !== undefined) jobs.delete(oldest)
  return job
}

export const findMediaJob = (id: string): SimulatedJob | undefined => jobs.get(id)

export function cancelMediaJob(job: SimulatedJob): void {
  if (!job.cancelled) cancelled++
  job.cancelled = true
}

/** How many jobs were cancelled, for tests. */
export const cancelledMediaJobs = (): number => cancelled

export type MediaJobProgress = 'waiting' | 'working' | 'done'

/**
 * A job waits at the first poll, works at the second and is done at the third, unless its prompt
 * says otherwise.
 */
export function mediaJobProgress(job: SimulatedJob): MediaJobProgress {
  job.polls++
  if (job.prompt.includes('sandbox:queued')) return 'waiting'
  if (job.prompt.includes('sandbox:never')) return 'working'
  return job.polls === 1 ? 'waiting' : job.polls === 2 ? 'working' : 'done'
}
