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

export type VideoRequest = { engine: VideoModel; prompt: string; form: VideoOptions }

const Created = z.looseObject({ id: z.string().min(1).max(500), status: z.string() })

const Standings = Created.extend({
  error: z.unknown().optional(),
  usage: z.unknown().optional(),
  unsigned_urls: lenient(z.array(z.string())),
})
type Done = z.infer<typeof Standings>

const WAITING = new Set(['queued', 'pending'])
const WORKING = new Set(['in_progress', 'processing', 'running'])
const DONE = new Set(['completed', 'succeeded'])
const FAILED = new Set(['failed', 'cancelled', 'canceled', 'expired'])

/**
 * One film from an asynchronous videos API: create a job, look after it, fetch its bytes, which die with the job.
 * OpenAI's form (https://platform.openai.com/docs/api-reference/videos: `seconds` is text, `size` in pixels, no cost)
 * or a router's (https://openrouter.ai/docs/api_reference/videos.md: `duration`, `resolution`, `aspect_ratio`, and
 * `usage.cost` at the end). A failed job is a 200 with `status: failed`. Tells the cost as spent.
 */
export async function makeApiVideo(
  upstream: Upstream,
  order: VideoRequest,
  context: ToolContext,
  times: JobTiming,
): Promise<Buffer> {
  const { engine, form } = order
  const reply = await callMediaUpstream(context, upstream, {
    method: 'POST',
    url: `${upstream.baseUrl}/videos`,
    body: isRouter(upstream) ? routerBody(upstream, order) : plainBody(upstream, order),
  })
  const created = Created.safeParse(parseUpstreamReply(reply))
  if (!created.success) throw new UpstreamFailure('the upstream sent an answer of an unknown form', null)
  const url = `${upstream.baseUrl}/videos/${encodeURIComponent(created.data.id)}`
  const costUsd = videoCostUsd(engine.video, form)
  const job: ProviderJob<Done> = {
    model: engine.id,
    costUsd: costUsd * (engine.video.audioFactor ?? 1),
    look: (asked) => look(asked, { upstream, order, url }),
    // A job can be deleted, by the letter only a finished one. Deleting one that waits keeps it from being made.
    cancel: async (last) => {
      await callMediaUpstream(last, upstream, { method: 'DELETE', url })
      return false
    },
  }
  try {
    const done = await waitForJob(job, context, times)
    const told = reportedCostUsd(done.usage)
    context.spent(actualCostUsd(told, costUsd, engine.id))
    const bytes = await fetchFilm(done, { upstream, url, signal: context.signal })
    const withSound = probeVideo(bytes)?.hasSound ? (engine.video.audioFactor ?? 1) : 1
    context.spent(actualCostUsd(told, costUsd * withSound, engine.id))
    return bytes
  } catch (error) {
    // The job was taken: another upstream would make, and bill, a second one.
    throw finalFailure(engine, upstream, error)
  }
}

const routerBody = ({ model }: Upstream, { prompt, form }: VideoRequest) => ({
  model,
  prompt,
  duration: form.seconds,
  resolution: form.resolution,
  ...(form.ratio && { aspect_ratio: form.ratio }),
})

function plainBody({ model }: Upstream, { engine, prompt, form }: VideoRequest) {
  const ratio = form.ratio ?? engine.video.ratios[0] ?? '16:9'
  const { width, height } =
    parsePixelSize(form.resolution) ?? sizeOfRatio(ratio, LINES[form.told ?? ''] ?? lines(form.resolution))
  return { model, prompt, seconds: String(form.seconds), size: `${width}x${height}` }
}

const LINES: Record<string, number> = { '2k': 1440, '4k': 2160 }

const lines = (resolution: string): number => Number(/^(\d{3,4})p$/i.exec(resolution)?.[1] ?? 720)

type At = { upstream: Upstream; order: VideoRequest; url: string }

async function look(context: ToolContext, { upstream, order, url }: At): Promise<ProviderJobStatus<Done>> {
  const reply = await callMediaUpstream(context, upstream, { url })
  const standing = Standings.safeParse(parseUpstreamReply(reply))
  if (!standing.success) throw new UpstreamFailure('the upstream sent an answer of an unknown form', null)
  const { data } = standing
  const status = data.status.toLowerCase()
  if (DONE.has(status)) return { kind: 'done', result: data }
  if (FAILED.has(status)) {
    context.spent(actualCostUsd(reportedCostUsd(data.usage), 0, order.engine.id))
    throw refusal(data.error, status, { upstream, order, url })
  }
  if (!WAITING.has(status) && !WORKING.has(status)) throw new UpstreamFailure(`the job is ${status.slice(0, 40)}`, null)
  const afterMs = Number(reply.headers['openai-poll-after-ms'])
  return { kind: 'running', started: WORKING.has(status), ...(afterMs > 0 && { afterMs }) }
}

/** Why a job failed, in the vendor's words where it has some. */
function refusal(error: unknown, status: string, { upstream, order: { engine } }: At): unknown {
  const words = isRecord(error) ? error.message : error
  if (typeof words !== 'string' || words === '') return refusedByModel(engine, `its job ${status}.`)
  // As if it had come with a 400: the vendor's text without what names our account.
  return finalFailure(engine, upstream, new UpstreamFailure(words, 400, { error: { message: words } }))
}

/** A finished job's bytes: from the upstream itself, else from an address its answer names. */
async function fetchFilm(done: Done, at: { upstream: Upstream; url: string; signal: AbortSignal }): Promise<Buffer> {
  const { upstream, url, signal } = at
  try {
    return await fetchFromUpstream(`${url}/content`, upstream, { signal, maxBytes: MAX_MEDIA_BYTES.film })
  } catch (error) {
    const [address] = done.unsigned_urls ?? []
    if (!(error instanceof AppError) || signal.aborted) throw error
    if (address === undefined) throw error
    log.warn({ err: error.message }, 'a film’s content did not come; trying its address')
    return fetchResult(address, { signal, maxBytes: MAX_MEDIA_BYTES.film })
  }
}
