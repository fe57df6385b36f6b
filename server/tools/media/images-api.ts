import { z } from 'zod'
import { AppError } from '../../errors'
import type { Upstream } from '../../models/shape'
import { UpstreamFailure } from '../../models/upstream/failure'
import type { ToolContext } from '../define'
import { callMediaUpstream, parseUpstreamReply } from './call-upstream'
import { actualCostUsd, reportedCostUsd } from './cost'
import { decodeDataUri, fetchResult, MAX_MEDIA_BYTES } from './fetch-result'
import type { ImageModel } from './models'
import type { ImageShape } from './ratios'

export type ImageRequest = { engine: ImageModel; prompt: string; form: ImageShape }

/** Routers keep their API under /api/v1 and name shapes; OpenAI and its imitators stand under /v1 and name sizes. */
export const isRouter = ({ baseUrl }: Upstream): boolean => /\/api\/v\d+$/.test(new URL(baseUrl).pathname)

const Answer = z.looseObject({
  data: z.array(z.looseObject({ b64_json: z.string().nullish(), url: z.string().nullish() })).nullish(),
  usage: z.unknown().optional(),
})

/**
 * One picture from an images API: `POST /images/generations` as OpenAI documents it
 * (https://platform.openai.com/docs/api-reference/images/create: base64, or a URL that dies within the hour), or a
 * router's `POST /images` (https://openrouter.ai/docs/api/api-reference/images). Tells the cost as spent.
 */
export async function makeApiImage(upstream: Upstream, order: ImageRequest, context: ToolContext): Promise<Buffer> {
  const { engine, prompt, form } = order
  const { baseUrl, model } = upstream
  const size = form.size && `${form.size.width}x${form.size.height}`
  const reply = await callMediaUpstream(context, upstream, {
    method: 'POST',
    ...(isRouter(upstream)
      ? { url: `${baseUrl}/images`, body: { model, prompt, ...(size ? { size } : { aspect_ratio: form.ratio }) } }
      : // Without a size of the registry's the engine's own stands: names of shapes are not taken here.
        { url: `${baseUrl}/images/generations`, body: { model, prompt, n: 1, ...(size && { size }) } }),
  })
  const answer = Answer.safeParse(parseUpstreamReply(reply))
  if (!answer.success) throw new UpstreamFailure('the upstream sent an answer of an unknown form', null)
  const { data, usage } = answer.data
  const told = reportedCostUsd(usage)
  const [image] = data ?? []
  if (!image?.b64_json && !image?.url) {
    context.spent(actualCostUsd(told, 0, engine.id))
    throw new AppError('upstream_error', `${engine.id} made no picture of this prompt.`)
  }
  context.spent(actualCostUsd(told, engine.image.usdPerImage, engine.id))
  if (image.b64_json) return decodeDataUri(image.b64_json) ?? Buffer.from(image.b64_json, 'base64')
  return fetchResult(image.url ?? '', { signal: context.signal, maxBytes: MAX_MEDIA_BYTES.picture })
}
