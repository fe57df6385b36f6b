import type { z } from 'zod'
import type { ModelEntry } from './shape'

type Entry = z.input<typeof ModelEntry>
type Chat = Pick<Entry, 'name' | 'provider' | 'contextSize' | 'maxOutput' | 'usdPer1mInput' | 'usdPer1mOutput'> &
  Partial<Pick<Entry, 'vision' | 'defaultMaxOutput' | 'upstreams'>>

/** The model that the simulated upstream always answers with 503. */
export const ALWAYS_503 = 'always-503'

/**
 * The models of sandbox mode, with fictional names. Their chat upstream is the sandbox at
 * `baseUrl`. Among them: one with little context, and one whose first upstream always fails.
 */
export function sandboxModels(baseUrl: string): Entry[] {
  const upstream = (api: 'chat' | 'images' | 'videos', model: string) => ({ api, baseUrl, apiKeyEnv: null, model })
  const at = (path: string) => new URL(path, baseUrl).href
  const routed = (api: 'images' | 'videos', model: string) => ({ ...upstream(api, model), baseUrl: at('/llm/api/v1') })
  const queued = (model: string) => ({ api: 'fal' as const, baseUrl: at('/fal'), apiKeyEnv: null, model })
  const chat = (id: string, given: Chat): Entry => ({
    id,
    kind: 'chat',
    vision: false,
    upstreams: [upstream('chat', id.slice(id.indexOf('/') + 1))],
    ...given,
  })
  return [
    chat('northwind/gale-4', {
      name: 'Northwind Gale 4',
      provider: 'Northwind',
      contextSize: 256_000,
      maxOutput: 64_000,
      usdPer1mInput: 2.5,
      usdPer1mOutput: 10,
      vision: true,
    }),
    chat('northwind/gale-4-mini', {
      name: 'Northwind Gale 4 mini',
      provider: 'Northwind',
      contextSize: 128_000,
      maxOutput: 16_384,
      usdPer1mInput: 0.15,
      usdPer1mOutput: 0.6,
      vision: true,
    }),
    chat('alpenglow/edelweiss-large', {
      name: 'Alpenglow Edelweiss Large',
      provider: 'Alpenglow',
      contextSize: 200_000,
      maxOutput: 32_000,
      defaultMaxOutput: 8_192,
      usdPer1mInput: 3,
      usdPer1mOutput: 15,
      vision: true,
    }),
    chat('alpenglow/edelweiss-small', {
      name: 'Alpenglow Edelweiss Small',
      provider: 'Alpenglow',
      contextSize: 131_072,
      maxOutput: 8_192,
      usdPer1mInput: 0.8,
      usdPer1mOutput: 4,
    }),
    chat('tidepool/kelp-reasoner', {
      name: 'Tidepool Kelp Reasoner',
      provider: 'Tidepool',
      contextSize: 65_536,
      maxOutput: 65_536,
      defaultMaxOutput: 32_768,
      usdPer1mInput: 0.55,
      usdPer1mOutput: 2.19,
    }),
    chat('tidepool/kelp-ocean', {
      name: 'Tidepool Kelp Ocean',
      provider: 'Tidepool',
      contextSize: 1_050_000,
      maxOutput: 65_536,
      usdPer1mInput: 1.25,
      usdPer1mOutput: 5,
    }),
    chat('lantern/wick-tiny', {
      name: 'Lantern Wick Tiny',
      provider: 'Lantern',
      contextSize: 2_048,
      maxOutput: 1_024,
      defaultMaxOutput: 512,
      usdPer1mInput: 0.02,
      usdPer1mOutput: 0.04,
    }),
    chat('lantern/wick-relay', {
      name: 'Lantern Wick Relay',
      provider: 'Lantern',
      contextSize: 128_000,
      maxOutput: 16_384,
      usdPer1mInput: 0.3,
      usdPer1mOutput: 1.2,
      upstreams: [upstream('chat', ALWAYS_503), upstream('chat', 'wick-relay')],
    }),
    {
      id: 'palette/umber-1',
      name: 'Palette Umber 1',
      provider: 'Palette',
      kind: 'image',
      contextSize: 8_192,
      maxOutput: 4_096,
      usdPer1mInput: 0,
      usdPer1mOutput: 0,
      vision: true,
      image: { ratios: ['1:1', '3:2', '2:3', '16:9', '9:16'], usdPerImage: 0.04 },
      upstreams: [upstream('chat', 'umber-1')],
    },
    {
      id: 'palette/ochre-fast',
      name: 'Palette Ochre Fast',
      provider: 'Palette',
      kind: 'image',
      contextSize: 4_096,
      maxOutput: 0,
      usdPer1mInput: 0,
      usdPer1mOutput: 0,
      vision: false,
      image: { sizes: ['1024x1024', '1536x1024', '1024x1536'], usdPerImage: 0.011 },
      upstreams: [upstream('images', 'ochre-fast')],
    },
    {
      id: 'lumiere/reel-2',
      name: 'Lumiere Reel 2',
      provider: 'Lumiere',
      kind: 'video',
      contextSize: 0,
      maxOutput: 0,
      usdPer1mInput: 0,
      usdPer1mOutput: 0,
      vision: true,
      video: {
        seconds: { min: 2, max: 30, default: 8 },
        resolutions: ['720p', '1080p', '2160p'],
        ratios: ['16:9', '9:16', '1:1'],
        usdPerSecond: { '720p': 0.08, '1080p': 0.16, '2160p': 0.4 },
        audioFactor: 1.5,
      },
      upstreams: [upstream('videos', 'reel-2')],
    },
    {
      id: 'lumiere/reel-2-lite',
      name: 'Lumiere Reel 2 Lite',
      provider: 'Lumiere',
      kind: 'video',
      contextSize: 0,
      maxOutput: 0,
      usdPer1mInput: 0,
      usdPer1mOutput: 0,
      vision: false,
      video: {
        seconds: [4, 8],
        resolutions: ['480p', '720p'],
        ratios: ['16:9', '9:16'],
        usdPerSecond: { '480p': 0.03, '720p': 0.05 },
      },
      upstreams: [routed('videos', 'reel-2-lite')],
    },
    {
      id: 'palette/sienna-wide',
      name: 'Palette Sienna Wide',
      provider: 'Palette',
      kind: 'image',
      contextSize: 4_096,
      maxOutput: 0,
      usdPer1mInput: 0,
      usdPer1mOutput: 0,
      vision: false,
      image: { usdPerImage: 0.03 },
      upstreams: [routed('images', 'sienna-wide')],
    },
    {
      id: 'palette/sepia-queue',
      name: 'Palette Sepia Queue',
      provider: 'Palette',
      kind: 'image',
      contextSize: 4_096,
      maxOutput: 0,
      usdPer1mInput: 0,
      usdPer1mOutput: 0,
      vision: false,
      image: { ratios: ['1:1', '4:3', '3:4', '16:9', '9:16'], usdPerImage: 0.02 },
      upstreams: [queued('palette/sepia/fast')],
    },
    {
      id: 'lumiere/flipbook-queue',
      name: 'Lumiere Flipbook Queue',
      provider: 'Lumiere',
      kind: 'video',
      contextSize: 0,
      maxOutput: 0,
      usdPer1mInput: 0,
      usdPer1mOutput: 0,
      vision: false,
      video: {
        seconds: [4, 6, 8],
        resolutions: ['720p'],
        ratios: ['16:9', '9:16', '1:1'],
        usdPerSecond: { '720p': 0.04 },
        audioFactor: 2,
      },
      upstreams: [queued('lumiere/flipbook/text-to-video')],
    },
  ]
}
