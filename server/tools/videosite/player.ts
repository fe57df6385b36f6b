import { z } from 'zod'
import type { AppError } from '../../errors'
import { trimEnd } from '../../kit/trim-end'
import { type ProviderContext, parseProviderJson } from '../provider'
import { lenientBoolean, lenientObject, lenientString } from '../provider-fields'
import { VIDEO_PROVIDER, videoError } from './errors'
import { fetchInnertube } from './innertube'
import { DigitString, InnertubeText } from './text-fields'

const Details = z.object({
  videoId: z.string(),
  title: z.string(),
  lengthSeconds: DigitString,
  /** Absent when there are none. */
  keywords: z.array(z.string()).catch([]).default([]),
  channelId: lenientString,
  shortDescription: lenientString,
  viewCount: DigitString,
  author: lenientString,
  isLiveContent: lenientBoolean,
  isLive: lenientBoolean,
})

const Microformat = z.object({
  category: lenientString,
  publishDate: lenientString,
  likeCount: DigitString,
  ownerProfileUrl: lenientString,
})

const Track = z.object({
  baseUrl: z.string(),
  languageCode: z.string().catch(''),
  /** `asr`: made by a machine. */
  kind: lenientString,
})
export type CaptionTrack = z.output<typeof Track>

const Playability = z.object({
  status: z.string(),
  reason: lenientString,
  errorScreen: lenientObject({ playerErrorMessageRenderer: z.object({ subreason: InnertubeText }) }),
})

const Known = z.object({
  playabilityStatus: Playability.optional(),
  videoDetails: Details.optional(),
  microformat: lenientObject({ playerMicroformatRenderer: Microformat }),
  captions: lenientObject({ playerCaptionsTracklistRenderer: z.object({ captionTracks: z.array(Track).default([]) }) }),
})
/** The mobile client's answer for an id that does not exist is empty. */
const Nothing = z
  .strictObject({ responseContext: z.unknown() })
  .partial()
  .transform((): Known => ({ microformat: null, captions: null }))
const Player = z.union([Known.required({ playabilityStatus: true }), Nothing])
type Known = z.output<typeof Known>
export type VideoPlayer = Known

/** POST /youtubei/v1/player. A video that is not to be had is a 200 too: see `whyMissing`. Throws `upstream_error`. */
export async function fetchPlayer(context: ProviderContext, videoId: string, client?: 'ANDROID'): Promise<VideoPlayer> {
  const asked = { videoId, contentCheckOk: true, racyCheckOk: true, ...(client && { client }) }
  const player = parseProviderJson(VIDEO_PROVIDER, await fetchInnertube(context, 'player', asked), Player)
  // Those it takes for robots are sometimes shown another video.
  if (player.videoDetails && player.videoDetails.videoId !== videoId) throw robot()
  return player
}

const robot = (): AppError =>
  videoError(
    `${VIDEO_PROVIDER} takes this gateway for a robot and does not answer. Try again later, or ask its operator.`,
  )

/** True when it is we who are refused, not the video that is missing. */
export const isBotCheck = ({ playabilityStatus }: VideoPlayer): boolean =>
  /\bbot\b/i.test(playabilityStatus?.reason ?? '')

/** Why a video cannot be had, in words for the caller; null when it can. */
export function unavailableVideoError(player: VideoPlayer): AppError | null {
  const { status = '', reason, errorScreen } = player.playabilityStatus ?? {}
  if (status === 'OK' || status === 'LIVE_STREAM_OFFLINE') return null
  if (isBotCheck(player)) return robot()
  const told = reason ?? ''
  const more = errorScreen?.playerErrorMessageRenderer.subreason ?? ''
  if (/private/i.test(told)) return videoError('This video is private.')
  if (/member/i.test(told)) return videoError('This video is for paying members of its channel only.')
  if (/\bage\b|inappropriate/i.test(told) || status.startsWith('AGE_')) {
    return videoError('This video is shown to signed-in adults only.')
  }
  if (/countr/i.test(`${told} ${more}`))
    return videoError('This video is not shown in the country this gateway asks from.')
  if (status === 'ERROR' || status === '')
    return videoError(`There is no such video, or it was removed${inBrackets(more)}.`)
  return videoError(`${VIDEO_PROVIDER} does not show this video to the public${inBrackets(told)}.`)
}

const inBrackets = (words: string): string => {
  const short = trimEnd(words.slice(0, 200), ' \t\n.')
  return short === '' ? '' : ` (${short})`
}
