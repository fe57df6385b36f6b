import { z } from 'zod'
import type { VideoPrices } from './shape'

const texts = z.array(z.string()).nullish()

/** One engine of a router's list of video models. Its prices are named rates in USD, as text. */
export const VideoItem = z.looseObject({
  id: z.string(),
  name: z.string().nullish(),
  supported_resolutions: texts,
  supported_aspect_ratios: texts,
  supported_durations: z.array(z.number().positive()).nullish(),
  supported_frame_images: texts,
  pricing_skus: z.record(z.string(), z.union([z.string(), z.number()])).nullish(),
})
export type VideoItem = z.infer<typeof VideoItem>

/** The options of an engine that lists none. */
const DEFAULTS = { resolutions: ['720p'], ratios: ['16:9', '9:16', '1:1'], seconds: { min: 1, max: 10, default: 5 } }

/** A rate as USD per second, or null for a rate of another kind. */
function perSecond(name: string, value: string | number): number | null {
  const usd = Number(value)
  if (!(usd > 0) || /megapixel|token/.test(name)) return null
  if (/^cents_per_.*second/.test(name)) return usd / 100
  return /duration_seconds|video[-_]second|per[-_]second/.test(name) ? usd : null
}

const listed = <T>(list: readonly T[] | null | undefined): T[] | null => (list && list.length > 0 ? [...list] : null)

/**
 * An engine's prices: for each resolution the highest rate that can apply to it, with sound or
 * without. Null when a resolution has no rate by the second.
 */
export function videoPrices(item: VideoItem, markup: number): VideoPrices | null {
  const resolutions = listed(item.supported_resolutions) ?? DEFAULTS.resolutions
  const usdPerSecond: Record<string, number> = {}
  for (const resolution of resolutions) {
    const others = resolutions.filter((other) => other !== resolution).map((other) => other.toLowerCase())
    const rates = Object.entries(item.pricing_skus ?? {})
      .filter(([name]) => !others.some((other) => name.toLowerCase().split(/[-_]/).includes(other)))
      .flatMap(([name, value]) => perSecond(name, value) ?? [])
    if (rates.length === 0) return null
    usdPerSecond[resolution] = Number((Math.max(...rates) * markup).toPrecision(9))
  }
  return {
    seconds: listed(item.supported_durations) ?? DEFAULTS.seconds,
    resolutions,
    ratios: (listed(item.supported_aspect_ratios) ?? DEFAULTS.ratios).filter((r) => /^\d{1,3}:\d{1,3}$/.test(r)),
    usdPerSecond,
  }
}
