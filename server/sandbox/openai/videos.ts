import { type PixelSize, parsePixelSize, sizeOfRatio } from '../../tools/media/ratios'
import { cancelMediaJob, createMediaJob, findMediaJob, mediaJobProgress, type SimulatedJob } from '../media/jobs'
import { makeVideoFile } from '../media/video-file'
import { openAiError, provokedFailure, routerError } from './images'

type Body = Record<string, unknown>

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

const LINES: Record<string, number> = { '480p': 480, '720p': 720, '1080p': 1080, '1440p': 1440, '2160p': 2160 }

const isRouterPath = (req: Request) => new URL(req.url).pathname.includes('/api/v1/')

/** `…/videos/{id}` and `…/videos/{id}/content`. */
const idIn = (req: Request): string =>
  decodeURIComponent(new URL(req.url).pathname.split('/videos/')[1] ?? '').replace(/\/content$/, '')

/** Orders a film in OpenAI's form or, under /api/v1, in a router's; addresses of both stand in `videos.ts`. */
export async function createVideo(req: Request): Promise<Response> {
  const body = (await req.json()) as Body
  const prompt = text(body.prompt)
  const wrong = await provokedFailure(prompt)
  if (wrong) return wrong
  if (isRouterPath(req)) {
    if (typeof body.duration !== 'number') return routerError(400, 'duration must be a number')
    const { id } = createMediaJob('job-sandbox-', prompt, body)
    const polling_url = `/llm/api/v1/videos/${id}`
    return Response.json({ id, generation_id: 'gen-sandbox', polling_url, status: 'pending' }, { status: 202 })
  }
  if (typeof body.seconds !== 'string') {
    return openAiError(400, 'invalid_type', "Invalid type for 'seconds': expected a string, but got something else.")
  }
  if (!parsePixelSize(text(body.size))) return openAiError(400, 'invalid_value', `Invalid value: '${body.size}'.`)
  return Response.json(resource(createMediaJob('video_sandbox', prompt, body), 'queued'))
}

function resource({ id, prompt, input }: SimulatedJob, status: string, error: object | null = null) {
  return {
    id,
    object: 'video',
    created_at: 1_767_312_000,
    status,
    model: input.model,
    progress: status === 'completed' ? 100 : 0,
    seconds: input.seconds,
    size: input.size,
    error,
    prompt,
  }
}

/** A job's standing, or its bytes. */
export function readVideo(req: Request): Response {
  const job = findMediaJob(idIn(req))
  const isRouter = isRouterPath(req)
  if (!job) return isRouter ? routerError(404, 'Job not found') : openAiError(404, null, 'Video not found.')
  if (new URL(req.url).pathname.endsWith('/content')) return content(job)
  if (job.prompt.includes('sandbox:silent')) return openAiError(500, null, 'The server had an error.')
  const progress = mediaJobProgress(job)
  const hasFailed = job.prompt.includes('sandbox:fail') && progress === 'done'
  return Response.json(isRouter ? routerStanding(job, progress, hasFailed) : plainStanding(job, progress, hasFailed))
}

type Progress = ReturnType<typeof mediaJobProgress>

const PLAIN: Record<Progress, string> = { waiting: 'queued', working: 'in_progress', done: 'completed' }

function plainStanding(job: SimulatedJob, progress: Progress, hasFailed: boolean) {
  if (!hasFailed) return resource(job, PLAIN[progress])
  return resource(job, 'failed', { code: 'moderation_blocked', message: 'Your request was blocked by our moderation.' })
}

function routerStanding({ id, prompt, input }: SimulatedJob, progress: Progress, hasFailed: boolean) {
  const head = { id, generation_id: 'gen-sandbox', polling_url: `/llm/api/v1/videos/${id}` }
  if (hasFailed) return { ...head, status: 'failed', error: 'Content policy violation' }
  if (progress !== 'done') return { ...head, status: progress === 'waiting' ? 'pending' : 'in_progress' }
  const cost = prompt.includes('sandbox:expensive') ? 0.9 : Number(input.duration) * 0.025
  return { ...head, status: 'completed', unsigned_urls: [], usage: { cost, is_byok: false } }
}

function content(job: SimulatedJob): Response {
  if (job.prompt.includes('sandbox:gone')) return openAiError(404, null, 'Video is not ready yet.')
  if (job.prompt.includes('sandbox:private')) {
    return new Response(null, { status: 302, headers: { location: 'http://10.0.0.1/film.mp4' } })
  }
  return videoResponse(job.prompt, sizeFor(job.input), Number(job.input.seconds ?? job.input.duration))
}

const sizeFor = (input: Body): PixelSize =>
  parsePixelSize(text(input.size)) ??
  sizeOfRatio(text(input.aspect_ratio) || '16:9', LINES[text(input.resolution)] ?? 720)

/** The bytes a prompt asks for: a film, with sound or without, or what only claims to be one. */
export function videoResponse(prompt: string, size: PixelSize, seconds: number): Response {
  const film = prompt.includes('sandbox:garbage')
    ? Buffer.from('this is no film')
    : makeVideoFile(size, seconds, prompt.includes('sandbox:sound'))
  return new Response(new Uint8Array(film), { headers: { 'content-type': 'video/mp4' } })
}

/** OpenAI's delete; a router has none. */
export function deleteVideo(req: Request): Response {
  const job = findMediaJob(idIn(req))
  if (!job || isRouterPath(req)) return openAiError(404, null, 'Not found.')
  cancelMediaJob(job)
  return Response.json({ id: job.id, object: 'video.deleted', deleted: true })
}
