import { AppError } from '../../errors'
import type { Upstream } from '../../models/shape'
import { estimatePrompt } from '../../models/wires/prompt'
import type { ToolContext } from '../define'
import { tryUpstreams } from './call-upstream'
import { makeChatImage } from './chat-images'
import { makeFalImage } from './fal'
import { type ImageRequest, makeApiImage } from './images-api'
import type { ImageModel } from './models'
import { type ImageInfo, probeImage } from './probe'
import { type JobTiming, withTimeBudget } from './wait-for-job'

/** How patient a call for images is. */
export const IMAGE_TIMING: JobTiming = { budgetMs: 60_000, graceMs: 3_000, firstMs: 400, maxMs: 3_000 }

/** Text that a chat model may add to its image, in tokens. */
const MAX_TEXT_TOKENS = 1_024

export type MadeImage = ImageInfo & { bytes: Buffer }

/** One image, by the first upstream of its model that serves. Throws `upstream_error`. */
export async function makeImage(request: ImageRequest, context: ToolContext, timing: JobTiming): Promise<MadeImage> {
  const { model } = request
  const bytes = await withTimeBudget(context, { ...timing, model: model.id }, (timely) =>
    tryUpstreams(model, timely, (upstream) => makeAt(upstream, request, timely, timing)),
  )
  const seen = probeImage(bytes)
  if (!seen) throw new AppError('upstream_error', `${model.id} sent something that is not an image.`)
  return { ...seen, bytes }
}

function makeAt(upstream: Upstream, request: ImageRequest, context: ToolContext, timing: JobTiming): Promise<Buffer> {
  switch (upstream.api) {
    case 'chat':
      return makeChatImage(upstream, request, context)
    case 'images':
      return makeApiImage(upstream, request, context)
    case 'fal':
      return makeFalImage(upstream, request, context, timing)
    default:
      throw new Error(`${request.model.id} has an upstream that makes no images`)
  }
}

/** The most one image can cost, USD: with tokens that cost, also the prompt and a short text. */
export async function imageBoundUsd(model: ImageModel, prompt: string): Promise<number> {
  const { image, usdPer1mInput, usdPer1mOutput } = model
  if (usdPer1mInput + usdPer1mOutput === 0) return image.usdPerImage
  const tokens = await estimatePrompt({ messages: [{ role: 'user', content: prompt }] }, model)
  return image.usdPerImage + (tokens * usdPer1mInput + MAX_TEXT_TOKENS * usdPer1mOutput) / 1e6
}
