import { z } from 'zod'
import { AppError } from '../../errors'
import { hostFile } from '../../files/put'
import { estimatePrompt } from '../../models/prompt'
import type { Upstream } from '../../models/shape'
import { defineTool, type ToolContext } from '../define'
import { READS_NOTHING } from '../exposure'
import { tryUpstreams } from './call-upstream'
import { makeChatImage } from './chat-images'
import { makeFalImage } from './fal'
import { type ImageRequest, makeApiImage } from './images-api'
import { type ImageModel, imageModels, pickMediaModel } from './models'
import { probeImage } from './probe'
import { ASPECT_RATIOS, fitImageShape, ratioName } from './ratios'
import { type JobTiming, withTimeBudget } from './wait-for-job'

const BUDGET_MS = 60_000
const TIMING: JobTiming = { budgetMs: BUDGET_MS, graceMs: 3_000, firstMs: 400, maxMs: 3_000 }

/** Text that a chat model may add to its image, in tokens. */
const MAX_TEXT_TOKENS = 1_024

/** The tool, with its timing. */
export const makeImageGenerate = (timing: JobTiming) =>
  defineTool({
    id: 'image_generate',
    label: 'Generate an image',
    capability: 'media',
    description:
      'Makes an image from a description and returns its permanent public URL. A model with a fixed list of sizes makes ' +
      'the one nearest to the shape asked for, so that a wide shape becomes 3:2; aspectRatio in the result says what ' +
      'was made. Billed at what the model really costs.',
    params: z.strictObject({
      prompt: z.string().trim().min(1).max(32_000).describe('What the image shows'),
      aspectRatio: z
        .enum(ASPECT_RATIOS)
        .default('1:1')
        .describe('Shape, width to height; snapped to the nearest one the model makes'),
      model: z
        .string()
        .trim()
        .min(1)
        .max(200)
        .optional()
        .describe('Id of an image model of the catalog, by default its first; chat models make no images'),
    }),
    example: { prompt: 'A lighthouse at dusk, in woodcut' },
    output: z.object({
      url: z.string().describe('Where the image is hosted, for good'),
      model: z.string(),
      width: z.int().nullable(),
      height: z.int().nullable(),
      aspectRatio: z.string().describe('The shape that was made'),
      contentType: z.string(),
      bytes: z.int(),
    }),
    pricing: {
      kind: 'metered',
      boundUsd: async ({ model, prompt }) => boundUsd(pickMediaModel(imageModels(), model, 'images'), prompt),
    },
    annotations: { readOnly: false, openWorld: true, idempotent: false },
    exposure: READS_NOTHING,
    timeoutMs: timing.budgetMs,
    images: ({ url }) => [url],
    available: () => imageModels().length > 0,
    async run({ prompt, aspectRatio, model: modelId }, context) {
      const model = pickMediaModel(imageModels(), modelId, 'images')
      const request: ImageRequest = { model, prompt, shape: fitImageShape(model.image, aspectRatio) }
      const bytes = await withTimeBudget(context, { ...timing, model: model.id }, (timely) =>
        tryUpstreams(model, timely.signal, (upstream) => make(upstream, request, timely, timing)),
      )
      const seen = probeImage(bytes)
      if (!seen) throw new AppError('upstream_error', `${model.id} sent something that is not an image.`)
      const { contentType, width, height } = seen
      const { url } = await hostFile({ ownerId: context.ownerId, bytes, contentType })
      return { url, model: model.id, width, height, aspectRatio: ratioName(seen), contentType, bytes: bytes.length }
    },
  })

export const imageGenerate = makeImageGenerate(TIMING)

function make(upstream: Upstream, request: ImageRequest, context: ToolContext, timing: JobTiming): Promise<Buffer> {
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

/** The image, and for a model billed by tokens the prompt and a short text. */
async function boundUsd(model: ImageModel, prompt: string): Promise<number> {
  const { image, usdPer1mInput, usdPer1mOutput } = model
  if (usdPer1mInput + usdPer1mOutput === 0) return image.usdPerImage
  const tokens = await estimatePrompt({ messages: [{ role: 'user', content: prompt }] }, model)
  return image.usdPerImage + (tokens * usdPer1mInput + MAX_TEXT_TOKENS * usdPer1mOutput) / 1e6
}
