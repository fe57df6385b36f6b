import { parsePixelSize } from '../../tools/media/ratios'
import { type JsonBody, mediaFailure, openAiError, textField, videoResponse } from '../media/answers'
import {
  cancelMediaJob,
  createMediaJob,
  findMediaJob,
  type MediaJobProgress,
  mediaJobProgress,
  type SimulatedJob,
} from '../media/jobs'

/** https://platform.openai.com/docs/api-reference/videos: `seconds` is text, `size` in pixels, no cost. */
export async function createOpenAiVideo(req: Request): Promise<Response> {
  const body = (await req.json()) as JsonBody
  const prompt = textField(body.prompt)
  const failure = await mediaFailure(prompt)
  if (failure) return failure
  if (typeof body.seconds !== 'string') {
    return openAiError(400, 'invalid_type', "Invalid type for 'seconds': expected a string, but got something else.")
  }
  if (!parsePixelSize(textField(body.size))) return openAiError(400, 'invalid_value', `Invalid value: '${body.size}'.`)
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

/** `…/videos/{id}` and `…/videos/{id}/content`. */
export const videoIdIn = (req: Request): string =>
  decodeURIComponent(new URL(req.url).pathname.split('/videos/')[1] ?? '').replace(/\/content$/, '')

const STATUSES: Record<MediaJobProgress, string> = { waiting: 'queued', working: 'in_progress', done: 'completed' }

/** The status of a job, or the bytes of its video. */
export function readOpenAiVideo(req: Request): Response {
  const job = findMediaJob(videoIdIn(req))
  if (!job) return openAiError(404, null, 'Video not found.')
  const { prompt, input } = job
  if (new URL(req.url).pathname.endsWith('/content')) {
    const size = parsePixelSize(textField(input.size)) ?? { width: 1280, height: 720 }
    return unusableVideo(prompt) ?? videoResponse(prompt, size, Number(input.seconds))
  }
  if (prompt.includes('sandbox:silent')) return openAiError(500, null, 'The server had an error.')
  const progress = mediaJobProgress(job)
  if (progress !== 'done' || !prompt.includes('sandbox:fail')) return Response.json(resource(job, STATUSES[progress]))
  const error = { code: 'moderation_blocked', message: 'Your request was blocked by our moderation.' }
  return Response.json(resource(job, 'failed', error))
}

/** What a prompt may ask for in place of the content of its video; null: nothing. */
export function unusableVideo(prompt: string): Response | null {
  if (prompt.includes('sandbox:gone')) return openAiError(404, null, 'Video is not ready yet.')
  if (!prompt.includes('sandbox:private')) return null
  return new Response(null, { status: 302, headers: { location: 'http://10.0.0.1/video.mp4' } })
}

export function deleteOpenAiVideo(req: Request): Response {
  const job = findMediaJob(videoIdIn(req))
  if (!job) return openAiError(404, null, 'Not found.')
  cancelMediaJob(job)
  return Response.json({ id: job.id, object: 'video.deleted', deleted: true })
}
