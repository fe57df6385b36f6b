import { z } from 'zod'
import { hostFile } from '../../files/put'
import { requireFileSpace } from '../../files/space'
import { hostedArtifact } from '../artifact'
import { defineTool } from '../define'
import { ASKS_PROVIDER } from '../flow'
import { IMAGE_TIMING, imageBoundUsd, makeImage } from './make-image'
import { imageModels, pickMediaModel } from './models'
import { ASPECT_RATIOS, fitImageShape, ratioName } from './ratios'
import type { JobTiming } from './wait-for-job'

/** The tool, with its timing. */
export const makeImageGenerate = (timing: JobTiming) =>
  defineTool({
    id: 'image_generate',
    label: 'Generate an image',
    capability: 'media',
    isFirst: 'listed',
    leadsTo: ['image_analyze'],
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
      boundUsd: async ({ model, prompt }) => imageBoundUsd(pickMediaModel(imageModels(), model, 'images'), prompt),
      usualUsd: ({ model }) => pickMediaModel(imageModels(), model, 'images').image.usdPerImage,
    },
    fitted: ({ model, aspectRatio }) => {
      const { ratio } = fitImageShape(pickMediaModel(imageModels(), model, 'images').image, aspectRatio)
      return ratio === aspectRatio ? [] : [{ param: 'aspectRatio', asked: aspectRatio, becomes: ratio }]
    },
    annotations: { readOnly: false, openWorld: true, idempotent: false },
    flow: ASKS_PROVIDER,
    timeoutMs: timing.budgetMs,
    images: ({ url }) => [url],
    artifacts: ({ url }, { prompt }) => [hostedArtifact('image', url, prompt)],
    available: () => imageModels().length > 0,
    async run({ prompt, aspectRatio, model: modelId }, context) {
      await requireFileSpace(context.ownerId)
      const model = pickMediaModel(imageModels(), modelId, 'images')
      const shape = fitImageShape(model.image, aspectRatio)
      const { bytes, contentType, ...size } = await makeImage({ model, prompt, shape }, context, timing)
      const { url } = await hostFile({ ownerId: context.ownerId, bytes, contentType })
      return { url, model: model.id, ...size, aspectRatio: ratioName(size), contentType, bytes: bytes.length }
    },
  })

export const imageGenerate = makeImageGenerate(IMAGE_TIMING)
