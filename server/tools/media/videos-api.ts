import { z } from 'zod'
import { AppError } from '../../errors'
import { log } from '../../kit/log'
import { isRecord } from '../../kit/record'
import type { Upstream } from '../../models/shape'
import { UpstreamFailure } from '../../models/upstream/failure'
import type { ToolContext } from '../define'
import { lenient } from '../provider-fields'
import { callMediaUpstream, finalFailure, parseUpstreamReply, refusedByModel } from './call-upstream'
import { actualCostUsd, reportedCostUsd } from './cost'
import { fetchFromUpstream, fetchResult, MAX_MEDIA_BYTES } from './fetch-result'
import { isRouter } from './images-api'
import type { VideoModel } from './models'
import { probeVideo } from './probe'
import { parsePixelSize, sizeOfRatio } from './ratios'
import { type VideoOptions, videoCostUsd } from './video-options'
import { type JobTiming, type ProviderJob, type ProviderJobStatus, waitForJob } from './wait-for-job'

export type VideoRequest = { model: VideoModel; prompt: string; options: VideoOptions }

const Created = z.looseObject({ id: z.string().min(1).max(500), status: z.string() })

const JobStatus = Created.extend({
  error: z.unknown().optional(),
  usage: z.unknown().optional(),
  unsigned_urls: lenient(z.array(z.string())),
})
type Done = z.infer<typeof JobStatus>

const WAITING = new Set(['queued', 'pending'])
const WORKING = new Set(['in_progress', 'processing', 'running'])
const DONE = new Set(['completed', 'succeeded'])
const FAILED = new Set(['failed', 'cancelled', 'canceled', 'expired'])

/**
 * One video from an asynchronous videos API: create a job, poll it, fetch its bytes, which expire
 * with the job. OpenAI's form (https://platform.openai.com/docs/api-reference/videos: `seconds` is
 * text, `size` in pixels, no cost) or a router's
 * (https://openrouter.ai/docs/api_reference/videos.md: `duration`, `resolution`, `aspect_ratio`,
 * and `usage.cost` at the end). A failed job is a 200 with `status: failed`. Reports the cost with
 * `spent`.
 */
export async function makeApiVideo(
  upstream: Upstream,
  request: VideoRequest,
  context: ToolContext,
  timing: JobTiming,
): Promise<Buffer> {
  const { model, options } = request
  const reply = await callMediaUpstream(context, upstream, {
    method: 'POST',
    url: `${upstream.baseUrl}/videos`,
    body: isRouter(upstream) ? routerBody(upstream, request) : plainBody(upstream, request),
  })
  const created = Created.safeParse(parseUpstreamReply(reply))
  if (!created.success) throw new UpstreamFailure('the upstream sent a response of an unknown form', null)
  const url = `${upstream.baseUrl}/videos/${encodeURIComponent(created.data.id)}`
  const costUsd = videoCostUsd(model.video, options)
  const job: ProviderJob<Done> = {
    model: model.id,
    costUsd: costUsd * (model.video.audioFactor ?? 1),
    poll: (polling) => poll(polling, { upstream, request, url }),
    // By its documentation only a finished job can be deleted. Deleting a waiting one keeps it from
    // being started.
    cancel: async (last) => {
      await callMediaUpstream(last, upstream, { method: 'DELETE', url })
      return false
    },
  }
  try {
    const done = await waitForJob(job, context, timing)
    const reported = reportedCostUsd(done.usage)
    context.spent(actualCostUsd(reported, costUsd, model.id))
    const bytes = await fetchVideo(done, { upstream, url, signal: context.signal })
    const withSound = probeVideo(bytes)?.hasSound ? (model.video.audioFactor ?? 1) : 1
    context.spent(actualCostUsd(reported, costUsd * withSound, model.id))
    return bytes
  } catch (error) {
    // The job was accepted: another upstream would make, and bill, a second video.
    throw finalFailure(model, upstream, error)
  }
}

const routerBody = ({ model: name }: Upstream, { prompt, options }: VideoRequest) => ({
  model: name,
  prompt,
  duration: options.seconds,
  resolution: options.resolution,
  ...(options.ratio && { aspect_ratio: options.ratio }),
})

function plainBody({ model: name }: Upstream, { model, prompt, options }: VideoRequest) {
  const ratio = options.ratio ?? model.video.ratios[0] ?? '16:9'
  const { width, height } =
    parsePixelSize(options.resolution) ??
    sizeOfRatio(ratio, LINES[options.standardResolution ?? ''] ?? lines(options.resolution))
  return { model: name, prompt, seconds: String(options.seconds), size: `${width}x${height}` }
}

const LINES: Record<string, number> = { '2k': 1440, '4k': 2160 }

const lines = (resolution: string): number => Number(/^(\d{3,4})p$/i.exec(resolution)?.[1] ?? 720)

type ApiJob = { upstream: Upstream; request: VideoRequest; url: string }

async function poll(context: ToolContext, { upstream, request, url }: ApiJob): Promise<ProviderJobStatus<Done>> {
  const reply = await callMediaUpstream(context, upstream, { url })
  const parsed = JobStatus.safeParse(parseUpstreamReply(reply))
  if (!parsed.success) throw new UpstreamFailure('the upstream sent a response of an unknown form', null)
  const { data } = parsed
  const status = data.status.toLowerCase()
  if (DONE.has(status)) return { kind: 'done', result: data }
  if (FAILED.has(status)) {
    context.spent(actualCostUsd(reportedCostUsd(data.usage), 0, request.model.id))
    throw refusal(data.error, status, { upstream, request, url })
  }
  if (!WAITING.has(status) && !WORKING.has(status)) throw new UpstreamFailure(`the job is ${status.slice(0, 40)}`, null)
  const afterMs = Number(reply.headers['openai-poll-after-ms'])
  return { kind: 'running', started: WORKING.has(status), ...(afterMs > 0 && { afterMs }) }
}

/** Why a job failed, in the provider's words where there are any. */
function refusal(error: unknown, status: string, { upstream, request: { model } }: ApiJob): unknown {
  const words = isRecord(error) ? error.message : error
  if (typeof words !== 'string' || words === '') return refusedByModel(model, `its job ${status}.`)
  // Treated like the body of a 400: the provider's text without the operator's account.
  return finalFailure(model, upstream, new UpstreamFailure(words, 400, { error: { message: words } }))
}

/** The bytes of a finished job: from the upstream itself, else from an address in its response. */
async function fetchVideo(done: Done, at: { upstream: Upstream; url: string; signal: AbortSignal }): Promise<Buffer> {
  const { upstream, url, signal } = at
  try {
    return await fetchFromUpstream(`${url}/content`, upstream, { signal, maxBytes: MAX_MEDIA_BYTES.video })
  } catch (error) {
    const [address] = done.unsigned_urls ?? []
    if (!(error instanceof AppError) || signal.aborted) throw error
    if (address === undefined) throw error
    log.warn({ err: error.message }, 'the content of a video could not be fetched; trying its address')
    return fetchResult(address, { signal, maxBytes: MAX_MEDIA_BYTES.video })
  }
}
