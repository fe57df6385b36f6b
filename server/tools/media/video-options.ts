import type { VideoPrices } from '../../models/shape'
import { type AspectRatio, nearestRatio } from './ratios'

/** The sharpness a caller may ask for. */
export const RESOLUTIONS = ['480p', '768p', '720p', '1080p', '2k', '4k'] as const
export type Resolution = (typeof RESOLUTIONS)[number]

/** Engines call the same lines by other names. */
const ALIASES: Record<string, string> = { '1440p': '2k', '2160p': '4k', uhd: '4k', qhd: '2k' }

const plain = (resolution: string): string => {
  const name = resolution.trim().toLowerCase()
  return ALIASES[name] ?? name
}

/** What is asked of a video engine. */
export type VideoOptions = {
  seconds: number
  /** As the engine calls it. */
  resolution: string
  /** As callers know it, or null where the engine's name is none of theirs. */
  told: Resolution | null
  /** Null: the engine's own. */
  ratio: string | null
}

export type RequestedVideo = { durationSeconds?: number; resolution?: Resolution; aspectRatio?: AspectRatio }

/** A wish as an engine can fulfil it: its length clamped, its shape snapped, a resolution it does not have dropped. */
export function fitVideoOptions(video: VideoPrices, wish: RequestedVideo): VideoOptions {
  const resolution = resolutionOf(video, wish.resolution)
  return {
    seconds: secondsOf(video, wish.durationSeconds),
    resolution,
    told: RESOLUTIONS.find((r) => r === plain(resolution)) ?? null,
    ratio: wish.aspectRatio === undefined ? null : nearestRatio(video.ratios, wish.aspectRatio),
  }
}

/** Clamped into a range; of a list the nearest, the shorter of two as near. Without a wish the default, or the first. */
function secondsOf({ seconds }: VideoPrices, wanted: number | undefined): number {
  if (!Array.isArray(seconds)) {
    return wanted === undefined ? seconds.default : Math.min(seconds.max, Math.max(seconds.min, wanted))
  }
  const [first = 1] = seconds
  if (wanted === undefined) return first
  const sorted = [...seconds].sort((a, b) => a - b)
  return sorted.reduce((best, s) => (Math.abs(s - wanted) < Math.abs(best - wanted) ? s : best))
}

/** The wanted one where it is offered, else 720p, else the engine's first. */
function resolutionOf({ resolutions }: VideoPrices, wanted: Resolution | undefined): string {
  const named = (name: string | undefined) => resolutions.find((r) => plain(r) === name)
  return named(wanted) ?? named('720p') ?? resolutions[0] ?? '720p'
}

/** USD of a film without sound, by the registry's table. */
export const videoCostUsd = ({ usdPerSecond }: VideoPrices, { seconds, resolution }: VideoOptions): number =>
  (usdPerSecond[resolution] ?? Math.max(...Object.values(usdPerSecond))) * seconds
