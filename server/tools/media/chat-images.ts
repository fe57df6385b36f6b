import { AppError, isAppError } from '../../errors'
import { isObject } from '../../kit/loose'
import { complete } from '../../models/complete'
import { UpstreamFailure } from '../../models/failure'
import { readUsage } from '../../models/meter'
import type { Model, Upstream } from '../../models/shape'
import type { ChatBody } from '../../models/wire'
import type { ToolContext } from '../define'
import { refusedBy } from './ask'
import { costIn, realCost } from './cost'
import { fetchFound, MOST } from './found'
import type { ImageOrder } from './images'

/** How much of a model's own words an error repeats, in characters. */
const MAX_WORDS = 300

/**
 * One picture from a chat model that makes them: `modalities` and `image_config` in the request, the pictures in
 * `message.images` (https://openrouter.ai/docs/guides/overview/multimodal/image-generation). A refusal is an ordinary
 * answer without pictures, and costs what it costs. Tells the cost as spent.
 */
export async function makeChatImage(upstream: Upstream, order: ImageOrder, context: ToolContext): Promise<Buffer> {
  const { engine, prompt, form } = order
  const body = await say(engine, upstream, context, {
    messages: [{ role: 'user', content: prompt }],
    modalities: ['image', 'text'],
    image_config: { aspect_ratio: form.ratio },
  })
  const message = messageIn(body)
  const address = addressIn(message)
  const told = costIn(body.usage)
  if (address === null) {
    context.spent(realCost(told, tokenUsd(body.usage, engine), engine.id))
    const words = typeof message?.content === 'string' ? message.content.trim().slice(0, MAX_WORDS) : ''
    throw new AppError('upstream_error', `${engine.id} made no picture of this prompt${words && ` and said: ${words}`}`)
  }
  context.spent(realCost(told, engine.image.usdPerImage, engine.id))
  return fetchFound(address, { signal: context.signal, maxBytes: MOST.picture })
}

/** One whole completion at one upstream of a model. Throws UpstreamFailure, or `upstream_error` for a refusal. */
export async function say(model: Model, upstream: Upstream, context: ToolContext, body: ChatBody) {
  const sent = {
    get accepted() {
      return false
    },
    set accepted(hasAll: boolean) {
      if (hasAll) context.accepted()
    },
  }
  try {
    const done = await complete({ ...model, upstreams: [upstream] }, body, { signal: context.signal, sent })
    if (done.kind === 'json') return done.body
    throw new UpstreamFailure('the upstream streamed without being asked', 200)
  } catch (error) {
    if (!isAppError(error) || context.signal.aborted) throw error
    if (error.code === 'invalid_request') throw refusedBy(model, error.message, error)
    throw error.cause instanceof UpstreamFailure ? error.cause : error
  }
}

/** The first choice's message of an answer. */
export function messageIn(body: Record<string, unknown>): Record<string, unknown> | null {
  const choice = Array.isArray(body.choices) ? body.choices[0] : null
  return isObject(choice) && isObject(choice.message) ? choice.message : null
}

/** Where the first picture of a message is: a `data:` URI as a rule. */
function addressIn(message: Record<string, unknown> | null): string | null {
  const lists = [message?.images, message?.content].filter(Array.isArray).flat()
  for (const part of lists) {
    const image = isObject(part) ? part.image_url : null
    const url = isObject(image) ? image.url : image
    if (typeof url === 'string' && url !== '') return url
  }
  return null
}

/** USD of the tokens an upstream says it used, by the registry's prices; 0 where it says nothing. */
export function tokenUsd(usage: unknown, { usdPer1mInput, usdPer1mOutput }: Model): number {
  const { inputTokens, outputTokens } = readUsage(usage) ?? { inputTokens: 0, outputTokens: 0 }
  return (inputTokens * usdPer1mInput + outputTokens * usdPer1mOutput) / 1e6
}
