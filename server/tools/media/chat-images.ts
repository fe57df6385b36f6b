import { AppError } from '../../errors'
import { isRecord } from '../../kit/record'
import type { CompletionBody } from '../../models/completion'
import { usdForTokens } from '../../models/prices'
import type { Model, Upstream } from '../../models/shape'
import { callModel } from '../../models/upstream/call'
import { UpstreamFailure } from '../../models/upstream/failure'
import { chatModelRequest } from '../../models/wires/chat/request'
import { readUsage } from '../../models/wires/chat/usage'
import type { ToolContext } from '../define'
import { requestRefused } from './call-upstream'
import { actualCostUsd, reportedCostUsd } from './cost'
import { fetchResult, MAX_MEDIA_BYTES } from './fetch-result'
import type { ImageRequest } from './images-api'

/** Characters of a model's own text that an error repeats. */
const MAX_REPEATED_CHARS = 300

/**
 * One image from a chat model: `modalities` and `image_config` in the request, the images in
 * `message.images` (https://openrouter.ai/docs/guides/overview/multimodal/image-generation). A
 * refusal is an ordinary completion without images, and is billed. Reports the cost with `spent`.
 */
export async function makeChatImage(upstream: Upstream, request: ImageRequest, context: ToolContext): Promise<Buffer> {
  const { model, prompt, shape } = request
  const body = await completeAtUpstream(model, upstream, context, {
    messages: [{ role: 'user', content: prompt }],
    modalities: ['image', 'text'],
    image_config: { aspect_ratio: shape.ratio },
  })
  const message = firstMessage(body)
  const address = addressIn(message)
  const reported = reportedCostUsd(body.usage)
  if (address === null) {
    context.spent(actualCostUsd(reported, tokenCostUsd(body.usage, model), model.id))
    const words = typeof message?.content === 'string' ? message.content.trim().slice(0, MAX_REPEATED_CHARS) : ''
    throw new AppError('upstream_error', `${model.id} made no image for this prompt${words && ` and said: ${words}`}`, {
      reason: 'refused',
    })
  }
  context.spent(actualCostUsd(reported, model.image.usdPerImage, model.id))
  return fetchResult(address, { signal: context.signal, maxBytes: MAX_MEDIA_BYTES.image })
}

/**
 * One whole completion at one upstream of a model. Throws UpstreamFailure, or `invalid_request` for
 * a refusal.
 */
export async function completeAtUpstream(model: Model, upstream: Upstream, context: ToolContext, body: CompletionBody) {
  const sent = {
    get accepted() {
      return false
    },
    set accepted(hasAll: boolean) {
      if (hasAll) context.onSent()
    },
  }
  try {
    const done = await callModel({ ...model, upstreams: [upstream] }, chatModelRequest(body), {
      signal: context.signal,
      sent,
    })
    if (done.kind === 'json') return done.body
    throw new UpstreamFailure('the upstream streamed although it was not asked to', 200)
  } catch (error) {
    if (!(error instanceof AppError) || context.signal.aborted) throw error
    if (error.code === 'invalid_request') throw requestRefused(model, error.message, error)
    throw error.cause instanceof UpstreamFailure ? error.cause : error
  }
}

/** The first choice's message of a completion. */
export function firstMessage(body: Record<string, unknown>): Record<string, unknown> | null {
  const choice = Array.isArray(body.choices) ? body.choices[0] : null
  return isRecord(choice) && isRecord(choice.message) ? choice.message : null
}

/** The URL of the first image of a message: usually a `data:` URI. */
function addressIn(message: Record<string, unknown> | null): string | null {
  const lists = [message?.images, message?.content].filter(Array.isArray).flat()
  for (const part of lists) {
    const image = isRecord(part) ? part.image_url : null
    const url = isRecord(image) ? image.url : image
    if (typeof url === 'string' && url !== '') return url
  }
  return null
}

/**
 * USD for the tokens that an upstream reports, at the registry's prices; 0 where it reports none.
 */
export const tokenCostUsd = (usage: unknown, model: Model): number => {
  const reported = readUsage(usage)
  return reported ? usdForTokens(reported, model) : 0
}
