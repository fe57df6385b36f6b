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

export type ImageRequest = { model: ImageModel; prompt: string; shape: ImageShape }

/**
 * Routers have their API under /api/v1 and take aspect ratios; OpenAI and compatible APIs have /v1
 * and take sizes.
 */
export const isRouter = ({ baseUrl }: Upstream): boolean => /\/api\/v\d+$/.test(new URL(baseUrl).pathname)

const ImagesResponse = z.looseObject({
  data: z.array(z.looseObject({ b64_json: z.string().nullish(), url: z.string().nullish() })).nullish(),
  usage: z.unknown().optional(),
})

/**
 * One image from an images API: `POST /images/generations` as OpenAI documents it
 * (https://platform.openai.com/docs/api-reference/images/create: base64, or a URL that expires
 * within the hour), or a router's `POST /images`
 * (https://openrouter.ai/docs/api/api-reference/images). Reports the cost with `spent`.
 */
export async function makeApiImage(upstream: Upstream, request: ImageRequest, context: ToolContext): Promise<Buffer> {
  const { model, prompt, shape } = request
  const { baseUrl, model: name } = upstream
  const size = shape.size && `${shape.size.width}x${shape.size.height}`
  const response = await callMediaUpstream(context, upstream, {
    method: 'POST',
    ...(isRouter(upstream)
      ? {
          url: `${baseUrl}/images`,
          body: { model: name, prompt, ...(size ? { size } : { aspect_ratio: shape.ratio }) },
        }
      : // Without a size in the registry the model's default applies: aspect ratios are not accepted here.
        { url: `${baseUrl}/images/generations`, body: { model: name, prompt, n: 1, ...(size && { size }) } }),
  })
  const parsed = ImagesResponse.safeParse(parseUpstreamReply(response))
  if (!parsed.success) throw new UpstreamFailure('the upstream sent a response of an unknown form', null)
  const { data, usage } = parsed.data
  const reported = reportedCostUsd(usage)
  const [image] = data ?? []
  if (!image?.b64_json && !image?.url) {
    context.spent(actualCostUsd(reported, 0, model.id))
    throw new AppError('upstream_error', `${model.id} made no image for this prompt.`, { reason: 'refused' })
  }
  context.spent(actualCostUsd(reported, model.image.usdPerImage, model.id))
  if (image.b64_json) return decodeDataUri(image.b64_json) ?? Buffer.from(image.b64_json, 'base64')
  return fetchResult(image.url ?? '', { signal: context.signal, maxBytes: MAX_MEDIA_BYTES.image })
}
