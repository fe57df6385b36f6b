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

const Standings = z.looseObject({ status: z.string(), error: z.unknown().optional() })

/** Some apps answer with a list, some with a single thing. */
const Found = z.looseObject({ url: z.string().min(1) })
const ImageResult = z
  .looseObject({ images: z.array(Found).nullish(), image: Found.nullish(), has_nsfw_concepts: z.unknown().optional() })
  .transform(({ images, image, has_nsfw_concepts: flags }) => ({
    url: images?.[0]?.url ?? image?.url,
    isBlackened: Array.isArray(flags) && flags[0] === true,
  }))
const FilmResult = z
  .looseObject({ video: Found.nullish(), videos: z.array(Found).nullish() })
  .transform(({ video, videos }) => ({ url: video?.url ?? videos?.[0]?.url }))

/** Side of the square that has as many pixels as an app makes by default. */
const SIDE = 1024

/**
 * One picture through fal's queue: submit, look, fetch the result, which is the app's own output
 * (https://docs.fal.ai/documentation/model-apis/inference/queue). The queue names no price: the registry's is spent.
 */
export async function makeFalImage(
  upstream: Upstream,
  { engine, prompt, form }: ImageRequest,
  context: ToolContext,
  times: JobTiming,
): Promise<Buffer> {
  const square = SIDE * Math.sqrt(shapeOf(form.ratio))
  const size = form.size ?? sizeOfRatio(form.ratio, 32 * Math.round(square / 32))
  // Each app has a schema of its own: some take sizes, some names of shapes, and none minds what it does not know.
  const shape = {
    ...(engine.image.ratios ? {} : { image_size: size }),
    ...(form.size ? {} : { aspect_ratio: form.ratio }),
  }
  const costUsd = engine.image.usdPerImage
  const order = { engine, costUsd, input: { prompt, num_images: 1, ...shape } }
  const result = await runQueued(upstream, order, context, times)
  const image = ImageResult.safeParse(result)
  if (!image.success || !image.data.url) throw noResult(engine)
  context.spent(costUsd)
  if (image.data.isBlackened) throw refusedByModel(engine, 'its filter blackened the picture.')
  return fetchResult(image.data.url, { signal: context.signal, maxBytes: MAX_MEDIA_BYTES.picture })
}

/** Shorter to longer side. */
const shapeOf = (ratio: string): number => {
  const [a = 1, b = 1] = ratio.split(':').map(Number)
  return Math.min(a, b) / Math.max(a, b)
}

/** One film through fal's queue, spent by the registry's price; sound is looked for in the film itself. */
export async function makeFalVideo(
  upstream: Upstream,
  { engine, prompt, form }: VideoRequest,
  context: ToolContext,
  times: JobTiming,
): Promise<Buffer> {
  const costUsd = videoCostUsd(engine.video, form)
  const { audioFactor = 1 } = engine.video
  const input = {
    prompt,
    duration: durationFor(upstream.model, form.seconds),
    resolution: form.resolution,
    ...(form.ratio && { aspect_ratio: form.ratio }),
  }
  const result = await runQueued(upstream, { engine, costUsd: costUsd * audioFactor, input }, context, times)
  const film = FilmResult.safeParse(result)
  if (!film.success || !film.data.url) throw noResult(engine)
  context.spent(costUsd)
  const bytes = await fetchResult(film.data.url, { signal: context.signal, maxBytes: MAX_MEDIA_BYTES.film })
  if (probeVideo(bytes)?.hasSound) context.spent(costUsd * audioFactor)
  return bytes
}

/** How the apps write seconds: "8s", 8 or "8". */
function durationFor(app: string, seconds: number): string | number {
  if (/veo|luma/.test(app)) return `${seconds}s`
  return /sora|ltx/.test(app) ? seconds : String(seconds)
}

const noResult = ({ id }: Model) => new AppError('upstream_error', `The provider of ${id} sent no result.`)

type Order = { engine: Model; input: object; costUsd: number }

async function runQueued(
  upstream: Upstream,
  { engine, input, costUsd }: Order,
  context: ToolContext,
  times: JobTiming,
) {
  const url = `${upstream.baseUrl}/${upstream.model.replace(/^\/+/, '')}`
  const submitted = Submitted.safeParse(
    parseUpstreamReply(await callMediaUpstream(context, upstream, { method: 'POST', url, body: input })),
  )
  if (!submitted.success) throw new UpstreamFailure('the queue sent an answer of an unknown form', null)
  const job: ProviderJob<unknown> = {
    model: engine.id,
    costUsd,
    look: (asked) => look(asked, { upstream, engine, submitted: submitted.data }),
    cancel: async (last) => {
      const reply = await callMediaUpstream(last, upstream, {
        method: 'PUT',
        url: ours(submitted.data.cancel_url, upstream),
      })
      // OK: taken from the queue. Else the runner was only told, or it is too late: both are billed.
      return reply.status < 300 && parseUpstreamReply(reply).status === 'OK'
    },
  }
  try {
    return await waitForJob(job, context, times)
  } catch (error) {
    throw finalFailure(engine, upstream, error)
  }
}

/** An address the queue named, at the host the operator set: our key goes nowhere else. */
function ours(found: string, { baseUrl }: Upstream): string {
  const [at, base] = [new URL(found), new URL(baseUrl)]
  if (at.origin === base.origin) return at.href
  return `${base.origin}${base.pathname.replace(/\/$/, '')}${at.pathname}${at.search}`
}

type At = { upstream: Upstream; engine: Model; submitted: Submitted }

async function look(context: ToolContext, { upstream, engine, submitted }: At): Promise<ProviderJobStatus<unknown>> {
  // 202 while it waits or runs, 200 when it is over.
  const standing = Standings.safeParse(
    parseUpstreamReply(await callMediaUpstream(context, upstream, { url: ours(submitted.status_url, upstream) })),
  )
  if (!standing.success) throw new UpstreamFailure('the queue sent an answer of an unknown form', null)
  const { status, error } = standing.data
  if (status === 'IN_QUEUE' || status === 'IN_PROGRESS') return { kind: 'running', started: status === 'IN_PROGRESS' }
  if (status !== 'COMPLETED' && status !== 'FAILED' && status !== 'CANCELED')
    throw new UpstreamFailure(`the job is ${status.slice(0, 40)}`, null)
  if (error != null || status !== 'COMPLETED') {
    throw new AppError('upstream_error', `The provider of ${engine.id} failed.`, { cause: new Error(String(error)) })
  }
  // COMPLETED only means over: the result may still be an error.
  const reply = await callMediaUpstream(context, upstream, { url: ours(submitted.response_url, upstream) })
  if (reply.status === 400 && /in progress/i.test(reply.text)) return { kind: 'running', started: true }
  try {
    const result = parseUpstreamReply(reply)
    return { kind: 'done', result: isRecord(result.response) ? result.response : result }
  } catch (failure) {
    throw finalFailure(engine, upstream, failure)
  }
}
