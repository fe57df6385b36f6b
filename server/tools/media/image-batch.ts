import { z } from 'zod'
import { hostFile } from '../../files/put'
import { requireFileSpace } from '../../files/space'
import { defineTool, type ToolContext } from '../define'
import { ASKS_PROVIDER } from '../flow'
import { IMAGE_TIMING, imageBoundUsd, type MadeImage, makeImage } from './make-image'
import { imageModels, pickMediaModel } from './models'
import { fitImageShape, fitImageSize, parsePixelSize } from './ratios'

const MAX_IMAGES = 4

const dropped = z.unknown().optional().describe('Accepted, and not passed on')

/** A request of the images API. What would change the price of an image is dropped. */
export const ImagesRequest = z.strictObject({
  prompt: z.string().trim().min(1, 'must say what the image shows').max(32_000).describe('What the images show'),
  model: z.string().trim().min(1).max(200).nullish().describe('Id of an image model, by default the first one'),
  n: z
    .int()
    .min(1)
    .max(MAX_IMAGES, `must be from 1 to ${MAX_IMAGES}`)
    .nullish()
    .describe(`Number of images, 1 to ${MAX_IMAGES}`),
  size: z
    .string()
    .refine((text) => text === 'auto' || parsePixelSize(text) !== null, 'must be auto, or look like 1024x1024')
    .nullish()
    .describe('Width and height in pixels, snapped to the nearest that the model makes; by default square'),
  response_format: z
    .enum(['url', 'b64_json'], 'must be url or b64_json')
    .nullish()
    .describe('url (default): a permanent public URL; b64_json: the bytes, which are then not kept'),
  stream: z.literal(false, 'is not supported here: images come whole').nullish(),
  quality: dropped,
  style: dropped,
  background: dropped,
  moderation: dropped,
  output_format: dropped,
  output_compression: dropped,
  partial_images: dropped,
  user: dropped,
})
export type ImagesRequest = z.infer<typeof ImagesRequest>

/** What the images API answers. */
export const ImagesAnswer = z.object({
  created: z.int().describe('Seconds since 1970'),
  data: z.array(z.object({ url: z.string().optional(), b64_json: z.string().optional() })),
  size: z.string().describe('What was made'),
  output_format: z.string().describe('png, jpeg, webp or gif'),
})

/**
 * `image_generate` in the form of the images API: up to four images under one hold of as many times
 * the highest price. Each that was made is paid for, also where others failed.
 */
export const imageBatch = defineTool({
  id: 'image_generate',
  label: 'Generate images',
  capability: 'media',
  description: 'Makes images from a description.',
  params: ImagesRequest,
  output: ImagesAnswer,
  pricing: {
    kind: 'metered',
    boundUsd: async ({ model, prompt, n }) => (n ?? 1) * (await imageBoundUsd(modelFor(model), prompt)),
  },
  annotations: { readOnly: false, openWorld: true, idempotent: false },
  flow: ASKS_PROVIDER,
  timeoutMs: IMAGE_TIMING.budgetMs,
  available: () => imageModels().length > 0,
  async run({ prompt, model: modelId, n, size, response_format: format }, context) {
    if (format !== 'b64_json') await requireFileSpace(context.ownerId)
    const model = modelFor(modelId)
    const wanted = parsePixelSize(size ?? 'auto')
    const shape = wanted ? fitImageSize(model.image, wanted) : fitImageShape(model.image, '1:1')
    const made = await makeEach(n ?? 1, context, (own) => makeImage({ model, prompt, shape }, own, IMAGE_TIMING))
    // A failing storage makes the call void: what was made is not delivered.
    const data = await Promise.all(made.map((image) => deliver(image, format ?? 'url', context)))
    const [{ width, height, contentType }] = made
    return {
      created: Math.floor(Date.now() / 1000),
      data,
      size: `${width}x${height}`,
      output_format: contentType.slice('image/'.length),
    }
  },
})

/** The image model a request names, else the first. Throws `unknown_model`. */
const modelFor = (id: string | null | undefined) => pickMediaModel(imageModels(), id ?? undefined, 'images')

/**
 * Makes several at once, with one account of what they cost. Throws the first failure where none
 * was made.
 */
async function makeEach(
  n: number,
  context: ToolContext,
  make: (own: ToolContext) => Promise<MadeImage>,
): Promise<[MadeImage, ...MadeImage[]]> {
  const costs = new Map<number, number>()
  const spent = (i: number) => (costUsd: number) => {
    costs.set(i, costUsd)
    context.spent([...costs.values()].reduce((sum, each) => sum + each, 0))
  }
  const ended = await Promise.allSettled(Array.from({ length: n }, (_, i) => make({ ...context, spent: spent(i) })))
  const [first, ...others] = ended.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  if (first) return [first, ...others]
  throw ended.find((each) => each.status === 'rejected')?.reason
}

async function deliver({ bytes, contentType }: MadeImage, format: 'url' | 'b64_json', { ownerId }: ToolContext) {
  if (format === 'b64_json') return { b64_json: bytes.toString('base64') }
  const { url } = await hostFile({ ownerId, bytes, contentType })
  return { url }
}
