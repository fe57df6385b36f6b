import { z } from 'zod'
import { AppError } from '../../errors'
import { putFile } from '../../files/put'
import type { Upstream } from '../../models/shape'
import { defineTool, type ToolContext } from '../define'
import { READS_NOTHING } from '../exposure'
import { firstToServe } from './ask'
import { pickEngine, videoEngines } from './engines'
import { makeFalVideo } from './fal'
import { filmForm, filmUsd, RESOLUTIONS } from './film-form'
import { inTime, type Times } from './job'
import { lookAtFilm } from './look'
import { nameOf, RATIOS } from './ratios'
import { type FilmOrder, makeVideo } from './videos'

const TIMES: Times = { budgetMs: 280_000, graceMs: 6_000, firstMs: 500, mostMs: 10_000 }

/** The tool, with the clock it goes by. */
export const makeVideoGenerate = (times: Times) =>
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
        .enum(RATIOS)
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
        const { video } = pickEngine(videoEngines(), input.model, 'videos')
        return filmUsd(video, filmForm(video, input)) * (video.audioFactor ?? 1)
      },
    },
    annotations: { readOnly: false, openWorld: true, idempotent: false },
    exposure: READS_NOTHING,
    timeoutMs: times.budgetMs,
    mcp: false,
    available: () => videoEngines().length > 0,
    async run(input, context) {
      const engine = pickEngine(videoEngines(), input.model, 'videos')
      const form = filmForm(engine.video, input)
      const order: FilmOrder = { engine, prompt: input.prompt, form }
      const bytes = await inTime(context, { ...times, model: engine.id }, (timely) =>
        firstToServe(engine, timely.signal, (upstream) => make(upstream, order, timely, times)),
      )
      const seen = lookAtFilm(bytes)
      if (!seen) throw new AppError('upstream_error', `${engine.id} sent something that is no MP4 film.`)
      const { contentType, size } = seen
      const { url } = await putFile({ ownerId: context.ownerId, bytes, contentType })
      return {
        url,
        model: engine.id,
        durationSeconds: form.seconds,
        resolution: form.told ?? form.resolution,
        aspectRatio: size ? nameOf(size) : form.ratio,
        contentType,
        bytes: bytes.length,
      }
    },
  })

export const videoGenerate = makeVideoGenerate(TIMES)

function make(upstream: Upstream, order: FilmOrder, context: ToolContext, times: Times): Promise<Buffer> {
  switch (upstream.api) {
    case 'videos':
      return makeVideo(upstream, order, context, times)
    case 'fal':
      return makeFalVideo(upstream, order, context, times)
    case 'chat':
    case 'images':
      throw new Error(`${order.engine.id} has an upstream that makes no videos`)
    default:
      return upstream.api satisfies never
  }
}
