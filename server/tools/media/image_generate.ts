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
const TIMES: JobTiming = { budgetMs: BUDGET_MS, graceMs: 3_000, firstMs: 400, mostMs: 3_000 }

/** Words a chat model may put beside its picture, in tokens. */
const WORDS = 1_024

/** The tool, with the clock it goes by. */
export const makeImageGenerate = (times: JobTiming) =>
  defineTool({
    id: 'image_generate',
    label: 'Generate an image',
    capability: 'media',
    description:
      'Makes a picture from a description and gives its permanent public URL. An engine with a fixed list of sizes makes ' +
      'the one nearest to the shape asked for, so that a wide shape becomes 3:2; aspectRatio in the result tells what ' +
      'was made. Billed at what the engine really costs.',
    params: z.strictObject({
      prompt: z.string().trim().min(1).max(32_000).describe('What to picture'),
      aspectRatio: z
        .enum(ASPECT_RATIOS)
        .default('1:1')
        .describe('Shape, width to height; snapped to the nearest one the engine makes'),
      model: z
        .string()
        .trim()
        .min(1)
        .max(200)
        .optional()
        .describe('Id of an image model of the catalogue, by default its first; chat models make no images'),
    }),
    example: { prompt: 'A lighthouse at dusk, in woodcut' },
    output: z.object({
      url: z.string().describe('Where the picture is hosted, for good'),
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
    timeoutMs: times.budgetMs,
    images: ({ url }) => [url],
    available: () => imageModels().length > 0,
    async run({ prompt, aspectRatio, model }, context) {
      const engine = pickMediaModel(imageModels(), model, 'images')
      const order: ImageRequest = { engine, prompt, form: fitImageShape(engine.image, aspectRatio) }
      const bytes = await withTimeBudget(context, { ...times, model: engine.id }, (timely) =>
        tryUpstreams(engine, timely.signal, (upstream) => make(upstream, order, timely, times)),
      )
      const seen = probeImage(bytes)
      if (!seen) throw new AppError('upstream_error', `${engine.id} sent something that is no picture.`)
      const { contentType, width, height } = seen
      const { url } = await hostFile({ ownerId: context.ownerId, bytes, contentType })
      return { url, model: engine.id, width, height, aspectRatio: ratioName(seen), contentType, bytes: bytes.length }
    },
  })

export const imageGenerate = makeImageGenerate(TIMES)

function make(upstream: Upstream, order: ImageRequest, context: ToolContext, times: JobTiming): Promise<Buffer> {
  switch (upstream.api) {
    case 'chat':
      return makeChatImage(upstream, order, context)
    case 'images':
      return makeApiImage(upstream, order, context)
    case 'fal':
      return makeFalImage(upstream, order, context, times)
    case 'videos':
      throw new Error(`${order.engine.id} has an upstream for videos`)
    default:
      return upstream.api satisfies never
  }
}

/** The picture itself, and where the engine takes tokens the prompt and a few words. */
async function boundUsd(engine: ImageModel, prompt: string): Promise<number> {
  const { image, usdPer1mInput, usdPer1mOutput } = engine
  if (usdPer1mInput + usdPer1mOutput === 0) return image.usdPerImage
  const tokens = await estimatePrompt({ messages: [{ role: 'user', content: prompt }] }, engine)
  return image.usdPerImage + (tokens * usdPer1mInput + WORDS * usdPer1mOutput) / 1e6
}
