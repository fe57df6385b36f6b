import { AppError } from '../../errors'
import { isRecord } from '../../kit/record'
import type { CompletionBody } from '../../models/completion'
import type { Model, Upstream } from '../../models/shape'
import { callModel } from '../../models/upstream/call'
import { UpstreamFailure } from '../../models/upstream/failure'
import { readUsage } from '../../models/wires/chat/usage'
import type { ToolContext } from '../define'
import { refusedByModel } from './call-upstream'
import { actualCostUsd, reportedCostUsd } from './cost'
import { fetchResult, MAX_MEDIA_BYTES } from './fetch-result'
import type { ImageRequest } from './images-api'

/** How much of a model's own words an error repeats, in characters. */
const MAX_WORDS = 300

/**
 * One picture from a chat model that makes them: `modalities` and `image_config` in the request, the pictures in
 * `message.images` (https://openrouter.ai/docs/guides/overview/multimodal/image-generation). A refusal is an ordinary
 * answer without pictures, and costs what it costs. Tells the cost as spent.
 */
export async function makeChatImage(upstream: Upstream, order: ImageRequest, context: ToolContext): Promise<Buffer> {
  const { engine, prompt, form } = order
  const body = await completeAtUpstream(engine, upstream, context, {
    messages: [{ role: 'user', content: prompt }],
    modalities: ['image', 'text'],
    image_config: { aspect_ratio: form.ratio },
  })
  const message = firstMessage(body)
  const address = addressIn(message)
  const told = reportedCostUsd(body.usage)
  if (address === null) {
    context.spent(actualCostUsd(told, tokenCostUsd(body.usage, engine), engine.id))
    const words = typeof message?.content === 'string' ? message.content.trim().slice(0, MAX_WORDS) : ''
    throw new AppError('upstream_error', `${engine.id} made no picture of this prompt${words && ` and said: ${words}`}`)
  }
  context.spent(actualCostUsd(told, engine.image.usdPerImage, engine.id))
  return fetchResult(address, { signal: context.signal, maxBytes: MAX_MEDIA_BYTES.picture })
}

/** One whole completion at one upstream of a model. Throws UpstreamFailure, or `upstream_error` for a refusal. */
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
    const done = await callModel({ ...model, upstreams: [upstream] }, body, { signal: context.signal, sent })
    if (done.kind === 'json') return done.body
    throw new UpstreamFailure('the upstream streamed without being asked', 200)
  } catch (error) {
    if (!(error instanceof AppError) || context.signal.aborted) throw error
    if (error.code === 'invalid_request') throw refusedByModel(model, error.message, error)
    throw error.cause instanceof UpstreamFailure ? error.cause : error
  }
}

/** The first choice's message of an answer. */
export function firstMessage(body: Record<string, unknown>): Record<string, unknown> | null {
  const choice = Array.isArray(body.choices) ? body.choices[0] : null
  return isRecord(choice) && isRecord(choice.message) ? choice.message : null
}

/** Where the first picture of a message is: a `data:` URI as a rule. */
function addressIn(message: Record<string, unknown> | null): string | null {
  const lists = [message?.images, message?.content].filter(Array.isArray).flat()
  for (const part of lists) {
    const image = isRecord(part) ? part.image_url : null
    const url = isRecord(image) ? image.url : image
    if (typeof url === 'string' && url !== '') return url
  }
  return null
}

/** USD of the tokens an upstream says it used, by the registry's prices; 0 where it says nothing. */
export function tokenCostUsd(usage: unknown, { usdPer1mInput, usdPer1mOutput }: Model): number {
  const { inputTokens, outputTokens } = readUsage(usage) ?? { inputTokens: 0, outputTokens: 0 }
  return (inputTokens * usdPer1mInput + outputTokens * usdPer1mOutput) / 1e6
}
