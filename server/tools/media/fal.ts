import { z } from 'zod'
import { AppError } from '../../errors'
import { isRecord } from '../../kit/record'
import type { Model, Upstream } from '../../models/shape'
import { UpstreamFailure } from '../../models/upstream/failure'
import type { ToolContext } from '../define'
import { callMediaUpstream, finalFailure, parseUpstreamReply, refusedByModel } from './call-upstream'
import { fetchResult, MAX_MEDIA_BYTES } from './fetch-result'
import type { ImageRequest } from './images-api'
import { probeVideo } from './probe'
import { sizeOfRatio } from './ratios'
import { videoCostUsd } from './video-options'
import type { VideoRequest } from './videos-api'
import { type JobTiming, type ProviderJob, type ProviderJobStatus, waitForJob } from './wait-for-job'

const Submitted = z.looseObject({
  request_id: z.string().min(1),
  status_url: z.url(),
  response_url: z.url(),
  cancel_url: z.url(),
})
type Submitted = z.infer<typeof Submitted>

const QueueStatus = z.looseObject({ status: z.string(), error: z.unknown().optional() })

/** Some apps return a list, some a single file. */
const ResultFile = z.looseObject({ url: z.string().min(1) })
const ImageResult = z
  .looseObject({
    images: z.array(ResultFile).nullish(),
    image: ResultFile.nullish(),
    has_nsfw_concepts: z.unknown().optional(),
  })
  .transform(({ images, image, has_nsfw_concepts: flags }) => ({
    url: images?.[0]?.url ?? image?.url,
    isBlackedOut: Array.isArray(flags) && flags[0] === true,
  }))
const VideoResult = z
  .looseObject({ video: ResultFile.nullish(), videos: z.array(ResultFile).nullish() })
  .transform(({ video, videos }) => ({ url: video?.url ?? videos?.[0]?.url }))

/** Side of the square that has as many pixels as an app makes by default. */
const SIDE = 1024

/**
 * One image through fal's queue: submit, poll, fetch the result, which is the app's own output
 * (https://docs.fal.ai/documentation/model-apis/inference/queue). The queue reports no cost: the
 * registry's price counts.
 */
export async function makeFalImage(
  upstream: Upstream,
  { model, prompt, shape }: ImageRequest,
  context: ToolContext,
  timing: JobTiming,
): Promise<Buffer> {
  const square = SIDE * Math.sqrt(shapeOf(shape.ratio))
  const size = shape.size ?? sizeOfRatio(shape.ratio, 32 * Math.round(square / 32))
  // Every app has another schema: some take sizes, some aspect ratios, and all ignore unknown
  // fields.
  const dimensions = {
    ...(model.image.ratios ? {} : { image_size: size }),
    ...(shape.size ? {} : { aspect_ratio: shape.ratio }),
  }
  const costUsd = model.image.usdPerImage
  const request = { model, costUsd, input: { prompt, num_images: 1, ...dimensions } }
  const result = await runQueued(upstream, request, context, timing)
  const image = ImageResult.safeParse(result)
  if (!image.success || !image.data.url) throw noResult(model)
  context.spent(costUsd)
  if (image.data.isBlackedOut) throw refusedByModel(model, 'its filter blacked out the image.')
  return fetchResult(image.data.url, { signal: context.signal, maxBytes: MAX_MEDIA_BYTES.image })
}

/** Shorter to longer side. */
const shapeOf = (ratio: string): number => {
  const [a = 1, b = 1] = ratio.split(':').map(Number)
  return Math.min(a, b) / Math.max(a, b)
}

/**
 * One video through fal's queue, at the registry's price; whether it has sound is read from the
 * video itself.
 */
export async function makeFalVideo(
  upstream: Upstream,
  { model, prompt, options }: VideoRequest,
  context: ToolContext,
  timing: JobTiming,
): Promise<Buffer> {
  const costUsd = videoCostUsd(model.video, options)
  const { audioFactor = 1 } = model.video
  const input = {
    prompt,
    duration: durationFor(upstream.model, options.seconds),
    resolution: options.resolution,
    ...(options.ratio && { aspect_ratio: options.ratio }),
  }
  const result = await runQueued(upstream, { model, costUsd: costUsd * audioFactor, input }, context, timing)
  const video = VideoResult.safeParse(result)
  if (!video.success || !video.data.url) throw noResult(model)
  context.spent(costUsd)
  const bytes = await fetchResult(video.data.url, { signal: context.signal, maxBytes: MAX_MEDIA_BYTES.video })
  if (probeVideo(bytes)?.hasSound) context.spent(costUsd * audioFactor)
  return bytes
}

/** How the apps write seconds: "8s", 8 or "8". */
function durationFor(app: string, seconds: number): string | number {
  if (/veo|luma/.test(app)) return `${seconds}s`
  return /sora|ltx/.test(app) ? seconds : String(seconds)
}

const noResult = ({ id }: Model) => new AppError('upstream_error', `The provider of ${id} sent no result.`)

type QueuedRequest = { model: Model; input: object; costUsd: number }

async function runQueued(
  upstream: Upstream,
  { model, input, costUsd }: QueuedRequest,
  context: ToolContext,
  timing: JobTiming,
) {
  const url = `${upstream.baseUrl}/${upstream.model.replace(/^\/+/, '')}`
  const submitted = Submitted.safeParse(
    parseUpstreamReply(await callMediaUpstream(context, upstream, { method: 'POST', url, body: input })),
  )
  if (!submitted.success) throw new UpstreamFailure('the queue sent a response of an unknown form', null)
  const job: ProviderJob<unknown> = {
    model: model.id,
    costUsd,
    poll: (polling) => poll(polling, { upstream, model, submitted: submitted.data }),
    cancel: async (last) => {
      const reply = await callMediaUpstream(last, upstream, {
        method: 'PUT',
        url: atUpstream(submitted.data.cancel_url, upstream),
      })
      // OK: removed from the queue. Otherwise a runner got the request to stop, or it is too late:
      // both are billed.
      return reply.status < 300 && parseUpstreamReply(reply).status === 'OK'
    },
  }
  try {
    return await waitForJob(job, context, timing)
  } catch (error) {
    throw finalFailure(model, upstream, error)
  }
}

/**
 * An address from the queue, at the host that the operator configured: the key is sent nowhere
 * else.
 */
function atUpstream(found: string, { baseUrl }: Upstream): string {
  const [at, base] = [new URL(found), new URL(baseUrl)]
  if (at.origin === base.origin) return at.href
  return `${base.origin}${base.pathname.replace(/\/$/, '')}${at.pathname}${at.search}`
}

type QueuedJob = { upstream: Upstream; model: Model; submitted: Submitted }

async function poll(
  context: ToolContext,
  { upstream, model, submitted }: QueuedJob,
): Promise<ProviderJobStatus<unknown>> {
  // 202 while it waits or runs, 200 when it has ended.
  const parsed = QueueStatus.safeParse(
    parseUpstreamReply(await callMediaUpstream(context, upstream, { url: atUpstream(submitted.status_url, upstream) })),
  )
  if (!parsed.success) throw new UpstreamFailure('the queue sent a response of an unknown form', null)
  const { status, error } = parsed.data
  if (status === 'IN_QUEUE' || status === 'IN_PROGRESS') return { kind: 'running', started: status === 'IN_PROGRESS' }
  if (status !== 'COMPLETED' && status !== 'FAILED' && status !== 'CANCELED')
    throw new UpstreamFailure(`the job is ${status.slice(0, 40)}`, null)
  if (error != null || status !== 'COMPLETED') {
    throw new AppError('upstream_error', `The provider of ${model.id} failed.`, { cause: new Error(String(error)) })
  }
  // COMPLETED does not mean success: the result may be an error.
  const reply = await callMediaUpstream(context, upstream, { url: atUpstream(submitted.response_url, upstream) })
  if (reply.status === 400 && /in progress/i.test(reply.text)) return { kind: 'running', started: true }
  try {
    const result = parseUpstreamReply(reply)
    return { kind: 'done', result: isRecord(result.response) ? result.response : result }
  } catch (failure) {
    throw finalFailure(model, upstream, failure)
  }
}
