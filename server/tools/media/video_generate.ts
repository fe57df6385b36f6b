import { z } from 'zod'
import { AppError } from '../../errors'
import { hostFile } from '../../files/put'
import { requireFileSpace } from '../../files/space'
import type { Upstream } from '../../models/shape'
import { hostedArtifact } from '../artifact'
import { defineTool, type ToolContext } from '../define'
import { ASKS_PROVIDER } from '../flow'
import { tryUpstreams } from './call-upstream'
import { makeFalVideo } from './fal'
import { pickMediaModel, videoModels } from './models'
import { probeVideo } from './probe'
import { ASPECT_RATIOS, ratioName } from './ratios'
import { fittedVideoParams, fitVideoOptions, RESOLUTIONS, videoCostUsd } from './video-options'
import { makeApiVideo, type VideoRequest } from './videos-api'
import { type JobTiming, withTimeBudget } from './wait-for-job'

const TIMING: JobTiming = { budgetMs: 280_000, graceMs: 6_000, firstMs: 500, maxMs: 10_000 }

/** The tool, with its timing. */
export const makeVideoGenerate = (timing: JobTiming) =>
  defineTool({
    id: 'video_generate',
    label: 'Generate a video',
    capability: 'media',
    description:
      'Makes a short video from a description and returns its permanent public URL. Takes up to five minutes: wait for the ' +
      'answer. Length, shape and resolution are fitted to what the model makes. Billed at what the model really ' +
      'costs, which grows with length and resolution, and with sound where the model makes some.',
    params: z.strictObject({
      prompt: z.string().trim().min(1).max(32_000).describe('What the video shows'),
      aspectRatio: z
        .enum(ASPECT_RATIOS)
        .optional()
        .describe('Shape, width to height, snapped to the nearest one the model makes; by default the model’s own'),
      durationSeconds: z
        .int()
        .optional()
        .describe('Length in seconds, clamped to what the model makes; by default the model’s own'),
      resolution: z
        .enum(RESOLUTIONS)
        .optional()
        .describe('Sharpness, dropped where the model does not offer it; 4k can cost four times as much as 720p'),
      model: z
        .string()
        .trim()
        .min(1)
        .max(200)
        .optional()
        .describe('Id of a video model of the catalog, by default its first'),
    }),
    example: { prompt: 'Waves on a harbour wall', durationSeconds: 4, resolution: '480p' },
    output: z.object({
      url: z.string().describe('Where the video is hosted, for good'),
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
      usualUsd: (input) => {
        const { video } = pickMediaModel(videoModels(), input.model, 'videos')
        return videoCostUsd(video, fitVideoOptions(video, input))
      },
    },
    fitted: (input) => fittedVideoParams(pickMediaModel(videoModels(), input.model, 'videos').video, input),
    annotations: { readOnly: false, openWorld: true, idempotent: false },
    flow: ASKS_PROVIDER,
    timeoutMs: timing.budgetMs,
    mcp: false,
    artifacts: ({ url }, { prompt }) => [hostedArtifact('video', url, prompt)],
    available: () => videoModels().length > 0,
    async run(input, context) {
      await requireFileSpace(context.ownerId)
      const model = pickMediaModel(videoModels(), input.model, 'videos')
      const options = fitVideoOptions(model.video, input)
      const request: VideoRequest = { model, prompt: input.prompt, options }
      const bytes = await withTimeBudget(context, { ...timing, model: model.id }, (timely) =>
        tryUpstreams(model, timely, (upstream) => make(upstream, request, timely, timing)),
      )
      const seen = probeVideo(bytes)
      if (!seen) throw new AppError('upstream_error', `${model.id} sent something that is not an MP4 video.`)
      const { contentType, size } = seen
      const { url } = await hostFile({ ownerId: context.ownerId, bytes, contentType })
      return {
        url,
        model: model.id,
        durationSeconds: options.seconds,
        resolution: options.standardResolution ?? options.resolution,
        aspectRatio: size ? ratioName(size) : options.ratio,
        contentType,
        bytes: bytes.length,
      }
    },
  })

export const videoGenerate = makeVideoGenerate(TIMING)

function make(upstream: Upstream, request: VideoRequest, context: ToolContext, timing: JobTiming): Promise<Buffer> {
  switch (upstream.api) {
    case 'videos':
      return makeApiVideo(upstream, request, context, timing)
    case 'fal':
      return makeFalVideo(upstream, request, context, timing)
    default:
      throw new Error(`${request.model.id} has an upstream that makes no videos`)
  }
}
