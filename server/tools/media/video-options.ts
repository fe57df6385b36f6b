import type { VideoPrices } from '../../models/shape'
import type { FittedParam } from '../define'
import { type AspectRatio, nearestRatio } from './ratios'

/** The resolutions a caller may ask for. */
export const RESOLUTIONS = ['480p', '768p', '720p', '1080p', '2k', '4k'] as const
type Resolution = (typeof RESOLUTIONS)[number]

/** Other names that models have for these. */
const ALIASES: Record<string, string> = { '1440p': '2k', '2160p': '4k', uhd: '4k', qhd: '2k' }

const standardName = (resolution: string): string => {
  const name = resolution.trim().toLowerCase()
  return ALIASES[name] ?? name
}

/** What a video model is asked to make. */
export type VideoOptions = {
  seconds: number
  /** The model's own name for it. */
  resolution: string
  /** The name that callers use; null where the model's name is not one of these. */
  standardResolution: Resolution | null
  /** Null: the model's default. */
  ratio: string | null
}

export type RequestedVideo = { durationSeconds?: number; resolution?: Resolution; aspectRatio?: AspectRatio }

/**
 * A request as a model can fulfil it: length clamped, aspect ratio the nearest one, an unknown
 * resolution dropped.
 */
export function fitVideoOptions(video: VideoPrices, wanted: RequestedVideo): VideoOptions {
  const resolution = resolutionOf(video, wanted.resolution)
  return {
    seconds: secondsOf(video, wanted.durationSeconds),
    resolution,
    standardResolution: RESOLUTIONS.find((r) => r === standardName(resolution)) ?? null,
    ratio: wanted.aspectRatio === undefined ? null : nearestRatio(video.ratios, wanted.aspectRatio),
  }
}

/** What of a request a model makes otherwise, in words; what was not asked for is not listed. */
export function fittedVideoParams(video: VideoPrices, wanted: RequestedVideo): FittedParam[] {
  const { seconds, standardResolution, resolution, ratio } = fitVideoOptions(video, wanted)
  const made = { durationSeconds: seconds, resolution: standardResolution ?? resolution, aspectRatio: ratio }
  const units = { durationSeconds: ' s', resolution: '', aspectRatio: '' }
  return (['durationSeconds', 'resolution', 'aspectRatio'] as const).flatMap((param) =>
    wanted[param] === undefined || made[param] === wanted[param]
      ? []
      : [{ param, asked: `${wanted[param]}${units[param]}`, becomes: `${made[param]}${units[param]}` }],
  )
}

/**
 * Clamped into a range, or the nearest of a list, the shorter of two. By default the model's
 * default, or its first.
 */
function secondsOf({ seconds }: VideoPrices, wanted: number | undefined): number {
  if (!Array.isArray(seconds)) {
    return wanted === undefined ? seconds.default : Math.min(seconds.max, Math.max(seconds.min, wanted))
  }
  const [first = 1] = seconds
  if (wanted === undefined) return first
  const sorted = [...seconds].sort((a, b) => a - b)
  return sorted.reduce((best, s) => (Math.abs(s - wanted) < Math.abs(best - wanted) ? s : best))
}

/** The wanted one where the model has it, else 720p, else the model's first. */
function resolutionOf({ resolutions }: VideoPrices, wanted: Resolution | undefined): string {
  const named = (name: string | undefined) => resolutions.find((r) => standardName(r) === name)
  return named(wanted) ?? named('720p') ?? resolutions[0] ?? '720p'
}

/** USD of a video without sound, at the registry's prices. */
export const videoCostUsd = ({ usdPerSecond }: VideoPrices, { seconds, resolution }: VideoOptions): number =>
  (usdPerSecond[resolution] ?? Math.max(...Object.values(usdPerSecond))) * seconds
