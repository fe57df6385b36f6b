import { z } from 'zod'
import { AppError } from '../../errors'
import { UpstreamFailure } from '../../models/failure'
import type { Upstream } from '../../models/shape'
import type { ToolContext } from '../define'
import { ask, readAnswer } from './ask'
import { costIn, realCost } from './cost'
import type { ImageEngine } from './engines'
import { bytesInData, fetchFound, MOST } from './found'
import type { Form } from './ratios'

export type ImageOrder = { engine: ImageEngine; prompt: string; form: Form }

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
export async function makeImage(upstream: Upstream, order: ImageOrder, context: ToolContext): Promise<Buffer> {
  const { engine, prompt, form } = order
  const { baseUrl, model } = upstream
  const size = form.size && `${form.size.width}x${form.size.height}`
  const reply = await ask(context, upstream, {
    method: 'POST',
    ...(isRouter(upstream)
      ? { url: `${baseUrl}/images`, body: { model, prompt, ...(size ? { size } : { aspect_ratio: form.ratio }) } }
      : // Without a size of the registry's the engine's own stands: names of shapes are not taken here.
        { url: `${baseUrl}/images/generations`, body: { model, prompt, n: 1, ...(size && { size }) } }),
  })
  const answer = Answer.safeParse(readAnswer(reply))
  if (!answer.success) throw new UpstreamFailure('the upstream sent an answer of an unknown form', null)
  const { data, usage } = answer.data
  const told = costIn(usage)
  const [image] = data ?? []
  if (!image?.b64_json && !image?.url) {
    context.spent(realCost(told, 0, engine.id))
    throw new AppError('upstream_error', `${engine.id} made no picture of this prompt.`)
  }
  context.spent(realCost(told, engine.image.usdPerImage, engine.id))
  if (image.b64_json) return bytesInData(image.b64_json) ?? Buffer.from(image.b64_json, 'base64')
  return fetchFound(image.url ?? '', { signal: context.signal, maxBytes: MOST.picture })
}
