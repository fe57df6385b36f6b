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
  /** Missing when there are none. */
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
  /** `asr`: speech recognition. */
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
/** The mobile client's response for an unknown id is empty. */
const Nothing = z
  .strictObject({ responseContext: z.unknown() })
  .partial()
  .transform((): Known => ({ microformat: null, captions: null }))
const Player = z.union([Known.required({ playabilityStatus: true }), Nothing])
type Known = z.output<typeof Known>
export type VideoPlayer = Known

/**
 * POST /youtubei/v1/player. For an unavailable video it is a 200 too: `unavailableVideoError`.
 * Throws `upstream_error`.
 */
export async function fetchPlayer(context: ProviderContext, videoId: string, client?: 'ANDROID'): Promise<VideoPlayer> {
  const payload = { videoId, contentCheckOk: true, racyCheckOk: true, ...(client && { client }) }
  const player = parseProviderJson(VIDEO_PROVIDER, await fetchInnertube(context, 'player', payload), Player)
  // Suspected bots sometimes get another video.
  if (player.videoDetails && player.videoDetails.videoId !== videoId) throw botError()
  return player
}

const botError = (): AppError =>
  videoError(
    'provider_access',
    `${VIDEO_PROVIDER} refuses this gateway as a bot. Try again later, or contact the operator.`,
  )

/** True when this gateway is refused, rather than the video unavailable. */
export const isBotCheck = ({ playabilityStatus }: VideoPlayer): boolean =>
  /\bbot\b/i.test(playabilityStatus?.reason ?? '')

/** The error for a video that is unavailable, with the reason; null when it is available. */
export function unavailableVideoError(player: VideoPlayer): AppError | null {
  const { status = '', reason, errorScreen } = player.playabilityStatus ?? {}
  if (status === 'OK' || status === 'LIVE_STREAM_OFFLINE') return null
  if (isBotCheck(player)) return botError()
  const why = reason ?? ''
  const more = errorScreen?.playerErrorMessageRenderer.subreason ?? ''
  if (/private/i.test(why)) return videoError('not_public', 'This video is private.')
  if (/member/i.test(why)) return videoError('not_public', 'This video is for paying members of its channel only.')
  if (/\bage\b|inappropriate/i.test(why) || status.startsWith('AGE_')) {
    return videoError('not_public', 'This video is shown to signed-in adults only.')
  }
  if (/countr/i.test(`${why} ${more}`))
    return videoError('not_public', 'This video is not available in the country of this gateway.')
  if (status === 'ERROR' || status === '')
    return videoError('not_found', `There is no such video, or it was removed${inBrackets(more)}.`)
  return videoError('not_public', `${VIDEO_PROVIDER} does not show this video to the public${inBrackets(why)}.`)
}

const inBrackets = (words: string): string => {
  const short = trimEnd(words.slice(0, 200), ' \t\n.')
  return short === '' ? '' : ` (${short})`
}
