/** What the sandbox knows of a job that a gateway ordered. */
export type SimulatedJob = {
  id: string
  prompt: string
  input: Record<string, unknown>
  /** Times its standing was asked for. */
  looks: number
  cancelled: boolean
}

const jobs = new Map<string, SimulatedJob>()
let cancelled = 0
let made = 0

/** Notes a new job. Only the last few thousand are kept. */
export function createMediaJob(prefix: string, prompt: string, input: Record<string, unknown>): SimulatedJob {
  const job = { id: `${prefix}${++made}`, prompt, input, looks: 0, cancelled: false }
  jobs.set(job.id, job)
  const [oldest] = jobs.keys()
  if (jobs.size > 2_000 && oldest !== undefined) jobs.delete(oldest)
  return job
}

export const findMediaJob = (id: string): SimulatedJob | undefined => jobs.get(id)

export function cancelMediaJob(job: SimulatedJob): void {
  if (!job.cancelled) cancelled++
  job.cancelled = true
}

/** How many jobs were cancelled, for tests. */
export const cancelledMediaJobs = (): number => cancelled

/** How far a job is: the first look finds it waiting, the second at work, the third done, unless its prompt says not. */
export function mediaJobProgress(job: SimulatedJob): 'waiting' | 'working' | 'done' {
  job.looks++
  if (job.prompt.includes('sandbox:queued')) return 'waiting'
  if (job.prompt.includes('sandbox:never')) return 'working'
  return job.looks === 1 ? 'waiting' : job.looks === 2 ? 'working' : 'done'
}
