import { sizeOfRatio } from '../../tools/media/ratios'
import { type JsonBody, mediaFailure, openAiError, textField, videoResponse } from '../media/answers'
import { createMediaJob, findMediaJob, mediaJobProgress, type SimulatedJob } from '../media/jobs'
import { unusableVideo, videoIdIn } from '../openai/videos'
import { openRouterError } from './images'

const LINES: Record<string, number> = { '480p': 480, '720p': 720, '1080p': 1080, '1440p': 1440, '2160p': 2160 }

/** https://openrouter.ai/docs/api_reference/videos.md: `duration`, `resolution`, `aspect_ratio`, and the cost at the end. */
export async function createOpenRouterVideo(req: Request): Promise<Response> {
  const body = (await req.json()) as JsonBody
  const prompt = textField(body.prompt)
  const failure = await mediaFailure(prompt)
  if (failure) return failure
  if (typeof body.duration !== 'number') return openRouterError(400, 'duration must be a number')
  const job = createMediaJob('job-sandbox-', prompt, body)
  return Response.json({ ...headOf(job), status: 'pending' }, { status: 202 })
}

const headOf = ({ id }: SimulatedJob) => ({
  id,
  generation_id: 'gen-sandbox',
  polling_url: `/llm/api/v1/videos/${id}`,
})

/** The status of a job, or the bytes of its video. */
export function readOpenRouterVideo(req: Request): Response {
  const job = findMediaJob(videoIdIn(req))
  if (!job) return openRouterError(404, 'Job not found')
  const { prompt, input } = job
  if (new URL(req.url).pathname.endsWith('/content')) {
    const size = sizeOfRatio(textField(input.aspect_ratio) || '16:9', LINES[textField(input.resolution)] ?? 720)
    return unusableVideo(prompt) ?? videoResponse(prompt, size, Number(input.duration))
  }
  if (prompt.includes('sandbox:silent')) return openAiError(500, null, 'The server had an error.')
  return Response.json({ ...headOf(job), ...statusOf(job) })
}

function statusOf(job: SimulatedJob): object {
  const { prompt, input } = job
  const progress = mediaJobProgress(job)
  if (progress !== 'done') return { status: progress === 'waiting' ? 'pending' : 'in_progress' }
  if (prompt.includes('sandbox:fail')) return { status: 'failed', error: 'Content policy violation' }
  const cost = prompt.includes('sandbox:expensive') ? 0.9 : Number(input.duration) * 0.025
  return { status: 'completed', unsigned_urls: [], usage: { cost, is_byok: false } }
}
