import { sizeOfRatio } from '../../tools/media/ratios'
import type { SandboxRoute } from '../kit/route'
import { openAiError, promptHandler, textField } from '../media/answers'
import { createMediaJob, readVideoJob, type SimulatedJob, videoJobAt } from '../media/jobs'
import { openRouterError, openRouterImage } from './images'

const LINES: Record<string, number> = { '480p': 480, '720p': 720, '1080p': 1080, '1440p': 1440, '2160p': 2160 }

/** https://openrouter.ai/docs/api_reference/videos.md: `duration`, `resolution`, `aspect_ratio`, and the cost at the end. */
const createVideo = promptHandler(({ body, prompt }) => {
  if (typeof body.duration !== 'number') return openRouterError(400, 'duration must be a number')
  const job = createMediaJob('job-sandbox-', prompt, body)
  return Response.json({ ...headOf(job), status: 'pending' }, { status: 202 })
})

const headOf = ({ id }: SimulatedJob) => ({
  id,
  generation_id: 'gen-sandbox',
  polling_url: `/llm/api/v1/videos/${id}`,
})

function readVideo(req: Request): Response {
  const job = videoJobAt(req)
  if (!job) return openRouterError(404, 'Job not found')
  return readVideoJob(req, job, {
    sizeOf: ({ aspect_ratio: ratio, resolution }) =>
      sizeOfRatio(textField(ratio) || '16:9', LINES[textField(resolution)] ?? 720),
    seconds: 'duration',
    statusOf: ({ prompt, input }, progress) => {
      if (progress !== 'done') return { ...headOf(job), status: progress === 'waiting' ? 'pending' : 'in_progress' }
      if (prompt.includes('sandbox:fail'))
        return { ...headOf(job), status: 'failed', error: 'Content policy violation' }
      const cost = prompt.includes('sandbox:expensive') ? 0.9 : Number(input.duration) * 0.025
      return { ...headOf(job), status: 'completed', unsigned_urls: [], usage: { cost, is_byok: false } }
    },
  })
}

/**
 * OpenRouter's images and videos. Images in chat completions are returned by the simulated chat
 * models, through `completeWithImage`. `../media/routes` lists the failures.
 */
export const openrouterRoutes: SandboxRoute[] = [
  { method: 'POST', path: '/llm/api/v1/images', handle: openRouterImage },
  { method: 'POST', path: '/llm/api/v1/videos', handle: createVideo },
  { method: 'GET', path: '/llm/api/v1/videos/*', handle: readVideo },
  // There is no way to cancel a job.
  { method: 'DELETE', path: '/llm/api/v1/videos/*', handle: () => openAiError(404, null, 'Not found.') },
]
