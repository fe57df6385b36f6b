import { z } from 'zod'
import { AppError } from '../../errors'
import { hostFile } from '../../files/put'
import type { Upstream } from '../../models/shape'
import { defineTool, type ToolContext } from '../define'
import { READS_NOTHING } from '../exposure'
import { tryUpstreams } from './call-upstream'
import { makeFalVideo } from './fal'
import { pickMediaModel, videoModels } from './models'
import { probeVideo } from './probe'
import { ASPECT_RATIOS, ratioName } from './ratios'
import { fitVideoOptions, RESOLUTIONS, videoCostUsd } from './video-options'
import { makeApiVideo, type VideoRequest } from './videos-api'
import { type JobTiming, withTimeBudget } from './wait-for-job'

const TIMES: JobTiming = { budgetMs: 280_000, graceMs: 6_000, firstMs: 500, mostMs: 10_000 }

/** The tool, with the clock it goes by. */
export const makeVideoGenerate = (times: JobTiming) =>
  defineTool({
    id: 'video_generate',
    label: 'Generate a video',
    capability: 'media',
    description:
      'Makes a short film from a description and gives its permanent public URL. Takes up to five minutes: wait for the ' +
      'answer. Length, shape and resolution are fitted to what the engine makes. Billed at what the engine really ' +
      'costs, which grows with length and resolution, and with sound where the engine makes some.',
    params: z.strictObject({
      prompt: z.string().trim().min(1).max(32_000).describe('What to film'),
      aspectRatio: z
        .enum(ASPECT_RATIOS)
        .optional()
        .describe('Shape, width to height, snapped to the nearest one the engine makes; by default the engine’s own'),
      durationSeconds: z
        .int()
        .optional()
        .describe('Length in seconds, clamped to what the engine makes; by default the engine’s own'),
      resolution: z
        .enum(RESOLUTIONS)
        .optional()
        .describe('Sharpness, dropped where the engine does not offer it; 4k can cost four times as much as 720p'),
      model: z
        .string()
        .trim()
        .min(1)
        .max(200)
        .optional()
        .describe('Id of a video engine of the catalogue, by default its first'),
    }),
    example: { prompt: 'Waves on a harbour wall', durationSeconds: 4, resolution: '480p' },
    output: z.object({
      url: z.string().describe('Where the film is hosted, for good'),
      model: z.string(),
      durationSeconds: z.number().describe('What was ordered and is billed'),
      resolution: z.string().nullable(),
      aspectRatio: z.string().nullable(),
      contentType: z.string(),
      bytes: z.int(),
    }),
    pricing: {
      kind: 'metered',
      boundUsd: (input) => {
        const { video } = pickMediaModel(videoModels(), input.model, 'videos')
        return videoCostUsd(video, fitVideoOptions(video, input)) * (video.audioFactor ?? 1)
      },
    },
    annotations: { readOnly: false, openWorld: true, idempotent: false },
    exposure: READS_NOTHING,
    timeoutMs: times.budgetMs,
    mcp: false,
    available: () => videoModels().length > 0,
    async run(input, context) {
      const engine = pickMediaModel(videoModels(), input.model, 'videos')
      const form = fitVideoOptions(engine.video, input)
      const order: VideoRequest = { engine, prompt: input.prompt, form }
      const bytes = await withTimeBudget(context, { ...times, model: engine.id }, (timely) =>
        tryUpstreams(engine, timely.signal, (upstream) => make(upstream, order, timely, times)),
      )
      const seen = probeVideo(bytes)
      if (!seen) throw new AppError('upstream_error', `${engine.id} sent something that is no MP4 film.`)
      const { contentType, size } = seen
      const { url } = await hostFile({ ownerId: context.ownerId, bytes, contentType })
      return {
        url,
        model: engine.id,
        durationSeconds: form.seconds,
        resolution: form.told ?? form.resolution,
        aspectRatio: size ? ratioName(size) : form.ratio,
        contentType,
        bytes: bytes.length,
      }
    },
  })

export const videoGenerate = makeVideoGenerate(TIMES)

function make(upstream: Upstream, order: VideoRequest, context: ToolContext, times: JobTiming): Promise<Buffer> {
  switch (upstream.api) {
    case 'videos':
      return makeApiVideo(upstream, order, context, times)
    case 'fal':
      return makeFalVideo(upstream, order, context, times)
    case 'chat':
    case 'images':
      throw new Error(`${order.engine.id} has an upstream that makes no videos`)
    default:
      return upstream.api satisfies never
  }
}
