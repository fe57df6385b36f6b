import { parsePixelSize } from '../../tools/media/ratios'
import type { SandboxRoute } from '../kit/route'
import { imageBytes, openAiError, promptHandler, textField } from '../media/answers'
import { cancelMediaJob, createMediaJob, readVideoJob, type SimulatedJob, videoJobAt } from '../media/jobs'
import { openAiEmbeddings } from './embeddings'

const SIZES = ['1024x1024', '1536x1024', '1024x1536']
const CREATED = 1_767_312_000

/** https://platform.openai.com/docs/api-reference/images/create: base64 and tokens, no cost; older models a URL. */
const createImage = promptHandler(async ({ body, prompt, origin }) => {
  const size = textField(body.size ?? '1024x1024')
  const pixels = parsePixelSize(size)
  if (!SIZES.includes(size) || !pixels) {
    const message = `Invalid value: '${body.size}'. Supported values are: '${SIZES.join("', '")}'.`
    return openAiError(400, 'invalid_value', message)
  }
  if (body.aspect_ratio !== undefined) return openAiError(400, 'unknown_parameter', 'Unknown parameter: aspect_ratio.')
  if (prompt.includes('sandbox:refuse')) return Response.json({ created: CREATED, data: [] })
  const isPrivate = prompt.includes('sandbox:private')
  const image =
    isPrivate || prompt.includes('sandbox:url')
      ? { url: `${isPrivate ? 'http://10.0.0.1' : origin}/media/image?${new URLSearchParams({ prompt, size })}` }
      : { b64_json: (await imageBytes(prompt, pixels)).toString('base64') }
  const usage = { input_tokens: 10, output_tokens: 4160, total_tokens: 4170 }
  return Response.json({ created: CREATED, data: [image], size, output_format: 'png', usage })
})

/** https://platform.openai.com/docs/api-reference/videos: `seconds` is text, `size` in pixels, no cost. */
const createVideo = promptHandler(({ body, prompt }) => {
  if (typeof body.seconds !== 'string')
    return openAiError(400, 'invalid_type', "Invalid type for 'seconds': expected a string, but got something else.")
  if (!parsePixelSize(textField(body.size))) return openAiError(400, 'invalid_value', `Invalid value: '${body.size}'.`)
  return Response.json(resource(createMediaJob('video_sandbox', prompt, body), 'queued'))
})

function resource({ id, prompt, input }: SimulatedJob, status: string, error: object | null = null) {
  const { model, seconds, size } = input
  const progress = status === 'completed' ? 100 : 0
  return { id, object: 'video', created_at: CREATED, status, model, progress, seconds, size, error, prompt }
}

const STATUSES = { waiting: 'queued', working: 'in_progress', done: 'completed' }
const BLOCKED = { code: 'moderation_blocked', message: 'Your request was blocked by our moderation.' }

function readVideo(req: Request): Response {
  const job = videoJobAt(req)
  if (!job) return openAiError(404, null, 'Video not found.')
  return readVideoJob(req, job, {
    sizeOf: ({ size }) => parsePixelSize(textField(size)) ?? { width: 1280, height: 720 },
    seconds: 'seconds',
    statusOf: (_, progress) =>
      progress === 'done' && job.prompt.includes('sandbox:fail')
        ? resource(job, 'failed', BLOCKED)
        : resource(job, STATUSES[progress]),
  })
}

function deleteVideo(req: Request): Response {
  const job = videoJobAt(req)
  if (!job) return openAiError(404, null, 'Not found.')
  cancelMediaJob(job)
  return Response.json({ id: job.id, object: 'video.deleted', deleted: true })
}

/** OpenAI's embeddings, images and videos. `../media/routes` lists the failures. */
export const openaiRoutes: SandboxRoute[] = [
  { method: 'POST', path: '/llm/v1/embeddings', handle: openAiEmbeddings },
  { method: 'POST', path: '/llm/v1/images/generations', handle: createImage },
  { method: 'POST', path: '/llm/v1/videos', handle: createVideo },
  { method: 'GET', path: '/llm/v1/videos/*', handle: readVideo },
  { method: 'DELETE', path: '/llm/v1/videos/*', handle: deleteVideo },
]
