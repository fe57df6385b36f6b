import { type PixelSize, sizeOfRatio } from '../../tools/media/ratios'
import type { SandboxRoute } from '../kit/route'
import { imageBytes, type JsonBody, textField, videoResponse } from '../media/answers'
import { cancelMediaJob, createMediaJob, findMediaJob, mediaJobProgress, type SimulatedJob } from '../media/jobs'

const json = (body: unknown, status = 200) =>
  Response.json(body, { status, headers: { 'x-fal-request-id': '00000000-0000-4000-8000-000000000000' } })

/** fal's queue: https://docs.fal.ai/documentation/model-apis/inference/queue */
async function submitToQueue(req: Request): Promise<Response> {
  const url = new URL(req.url)
  if (/^Bearer /i.test(req.headers.get('authorization') ?? '')) return json({ detail: 'Unauthorized' }, 401)
  const app = url.pathname.slice('/fal/'.length)
  const input = (await req.json()) as JsonBody
  const prompt = textField(input.prompt)
  if (prompt === '')
    return json({ detail: [{ loc: ['body', 'prompt'], msg: 'field required', type: 'value_error.missing' }] }, 422)
  if (prompt.includes('sandbox:balance')) return json({ detail: 'User is locked. Reason: Exhausted balance.' }, 403)
  if (prompt.includes('sandbox:nonsense')) return json({ made: 'up' })
  const job = createMediaJob('00000000-0000-4000-8000-', prompt, { ...input, app })
  return json({ status: 'IN_QUEUE', queue_position: 0, ...addresses(url, job) })
}

/** The sub path of an app is not part of the addresses of its jobs. */
function addresses({ origin }: URL, { id, input }: SimulatedJob) {
  const [owner = '', name = ''] = textField(input.app).split('/')
  const response_url = `${origin}/fal/${owner}/${name}/requests/${id}`
  return { request_id: id, response_url, status_url: `${response_url}/status`, cancel_url: `${response_url}/cancel` }
}

const findJobAt = (url: URL) => findMediaJob(url.pathname.split('/requests/')[1]?.split('/')[0] ?? '')

/** The status of a job (202 until it is done), or its result. */
function readQueue(req: Request): Response {
  const url = new URL(req.url)
  const job = findJobAt(url)
  if (!job) return json({ detail: 'Request not found' }, 404)
  if (!url.pathname.endsWith('/status')) return resultOf(url, job)
  const progress = mediaJobProgress(job)
  const at = addresses(url, job)
  if (progress !== 'done') return json({ status: progress === 'waiting' ? 'IN_QUEUE' : 'IN_PROGRESS', ...at }, 202)
  const error = { error: 'Runner disconnected', error_type: 'runner_disconnected' }
  const hasFailed = job.prompt.includes('sandbox:fail')
  return json({ status: 'COMPLETED', logs: null, metrics: {}, ...at, ...(hasFailed && error) })
}

const isVideo = ({ input }: SimulatedJob) => textField(input.app).includes('video')

function resultOf({ origin }: URL, job: SimulatedJob): Response {
  const { prompt, id } = job
  if (prompt.includes('sandbox:policy')) {
    const msg = 'The content could not be processed because it contained material flagged by a content checker.'
    return json({ detail: [{ loc: ['body', 'prompt'], msg, type: 'content_policy_violation' }] }, 422)
  }
  if (prompt.includes('sandbox:504')) return json({ detail: 'Request timed out', error_type: 'request_timeout' }, 504)
  const host = prompt.includes('sandbox:private') ? 'http://10.0.0.1' : origin
  const file = { url: `${host}/fal-files/${id}`, content_type: 'application/octet-stream' }
  if (isVideo(job)) return json({ video: { ...file, file_name: 'output.mp4', file_size: null } })
  const { width, height } = imageSizeOf(job)
  const flags = [prompt.includes('sandbox:nsfw')]
  return json({ images: [{ ...file, width, height }], seed: 1, has_nsfw_concepts: flags, prompt })
}

function imageSizeOf({ input }: SimulatedJob): PixelSize {
  const { width, height } = (input.image_size ?? {}) as Partial<PixelSize>
  if (width && height) return { width, height }
  return sizeOfRatio(textField(input.aspect_ratio) || '1:1', 768)
}

async function queuedFile(req: Request): Promise<Response> {
  const job = findMediaJob(new URL(req.url).pathname.split('/').at(-1) ?? '')
  if (!job) return new Response('expired', { status: 404 })
  const { prompt, input } = job
  const seconds = Number.parseFloat(String(input.duration))
  if (isVideo(job)) return videoResponse(prompt, sizeOfRatio(textField(input.aspect_ratio) || '16:9', 720), seconds)
  const bytes = await imageBytes(prompt, imageSizeOf(job))
  return new Response(new Uint8Array(bytes), { headers: { 'content-type': 'application/octet-stream' } })
}

/** OK while the job waits. A running job gets a request to stop and is billed. */
function cancelQueued(req: Request): Response {
  const job = findJobAt(new URL(req.url))
  if (!job) return json({ status: 'NOT_FOUND' }, 404)
  cancelMediaJob(job)
  if (job.prompt.includes('sandbox:queued')) return json({ status: 'OK' })
  return json({ status: 'CANCELLATION_REQUESTED' }, 202)
}

/**
 * fal's queue. `../media/routes` lists the failures; besides them: `sandbox:balance` (403)
 * `sandbox:504` and `sandbox:nsfw` (the image is blacked out).
 */
export const falRoutes: SandboxRoute[] = [
  { method: 'POST', path: '/fal/*', handle: submitToQueue },
  { method: 'GET', path: '/fal/*', handle: readQueue },
  { method: 'PUT', path: '/fal/*', handle: cancelQueued },
  { method: 'GET', path: '/fal-files/*', handle: queuedFile },
]
