import { LRUCache } from 'lru-cache'
import type { PixelSize } from '../../tools/media/ratios'
import { openAiError, videoResponse } from './answers'

/** An asynchronous job that a client created at a simulated provider. */
export type SimulatedJob = {
  id: string
  prompt: string
  input: Record<string, unknown>
  /** Number of times its status was requested. */
  polls: number
  cancelled: boolean
}

const jobs = new LRUCache<string, SimulatedJob>({ max: 2_000 })
let cancelled = 0
let created = 0

/** Creates a job. Only the newest are kept. */
export function createMediaJob(idPrefix: string, prompt: string, input: SimulatedJob['input']): SimulatedJob {
  const job = { id: `${idPrefix}${++created}`, prompt, input, polls: 0, cancelled: false }
  jobs.set(job.id, job)
  return job
}

export const findMediaJob = (id: string): SimulatedJob | undefined => jobs.get(id)

export function cancelMediaJob(job: SimulatedJob): void {
  if (!job.cancelled) cancelled++
  job.cancelled = true
}

/** How many jobs were cancelled, for tests. */
export const cancelledMediaJobs = (): number => cancelled

type MediaJobProgress = 'waiting' | 'working' | 'done'

/** Waits at the first poll, works at the second, then done, unless its prompt says otherwise. */
export function mediaJobProgress(job: SimulatedJob): MediaJobProgress {
  job.polls++
  if (job.prompt.includes('sandbox:queued')) return 'waiting'
  if (job.prompt.includes('sandbox:never')) return 'working'
  return job.polls === 1 ? 'waiting' : job.polls === 2 ? 'working' : 'done'
}

/** `…/videos/{id}` and `…/videos/{id}/content`. */
export const videoJobAt = (req: Request): SimulatedJob | undefined =>
  findMediaJob(decodeURIComponent(new URL(req.url).pathname.split('/videos/')[1] ?? '').replace(/\/content$/, ''))

type VideoReader = {
  sizeOf: (input: SimulatedJob['input']) => PixelSize
  /** The field of the input that has the seconds. */
  seconds: string
  statusOf: (job: SimulatedJob, progress: MediaJobProgress) => object
}

/** The status of a job, or at `/content` the bytes of its video. */
export function readVideoJob(req: Request, job: SimulatedJob, { sizeOf, seconds, statusOf }: VideoReader): Response {
  const { prompt, input } = job
  if (new URL(req.url).pathname.endsWith('/content')) {
    if (prompt.includes('sandbox:gone')) return openAiError(404, null, 'Video is not ready yet.')
    if (prompt.includes('sandbox:private'))
      return new Response(null, { status: 302, headers: { location: 'http://10.0.0.1/video.mp4' } })
    return videoResponse(prompt, sizeOf(input), Number(input[seconds]))
  }
  if (prompt.includes('sandbox:silent')) return openAiError(500, null, 'The server had an error.')
  return Response.json(statusOf(job, mediaJobProgress(job)))
}
