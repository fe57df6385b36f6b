import { z } from 'zod'
import type { AppError } from '../../errors'
import { trimEnd } from '../../kit/trim-end'
import type { ToolContext } from '../define'
import { parseVendor } from '../vendor'
import { refusal, VENDOR } from './refusal'
import { askInnertube } from './upstream'
import { Digits, Text } from './words'

const text = z
  .string()
  .nullish()
  .catch(null)
  .transform((t) => t ?? null)
const flag = z.boolean().nullish().catch(null)

const Details = z.object({
  videoId: z.string(),
  title: z.string(),
  lengthSeconds: Digits,
  /** Absent when there are none. */
  keywords: z.array(z.string()).catch([]).default([]),
  channelId: text,
  shortDescription: text,
  viewCount: Digits,
  author: text,
  isLiveContent: flag,
  isLive: flag,
})

const Microformat = z.object({
  category: text,
  publishDate: text,
  likeCount: Digits,
  ownerProfileUrl: text,
})

const Track = z.object({
  baseUrl: z.string(),
  languageCode: z.string().catch(''),
  /** `asr`: made by a machine. */
  kind: text,
})
export type Track = z.output<typeof Track>

const Playability = z.object({
  status: z.string(),
  reason: text,
  errorScreen: z
    .object({ playerErrorMessageRenderer: z.object({ subreason: Text }) })
    .nullish()
    .catch(null),
})

const Known = z.object({
  playabilityStatus: Playability.optional(),
  videoDetails: Details.optional(),
  microformat: z.object({ playerMicroformatRenderer: Microformat }).nullish().catch(null),
  captions: z
    .object({ playerCaptionsTracklistRenderer: z.object({ captionTracks: z.array(Track).default([]) }) })
    .nullish()
    .catch(null),
})
/** The mobile client's answer for an id that does not exist is empty. */
const Nothing = z
  .strictObject({ responseContext: z.unknown() })
  .partial()
  .transform((): Known => ({}))
const Player = z.union([Known.required({ playabilityStatus: true }), Nothing])
type Known = z.output<typeof Known>
export type Player = Known

/** POST /youtubei/v1/player. A video that is not to be had is a 200 too: see `whyMissing`. Throws `upstream_error`. */
export async function fetchPlayer(context: ToolContext, videoId: string, client?: 'ANDROID'): Promise<Player> {
  const asked = { videoId, contentCheckOk: true, racyCheckOk: true, ...(client && { client }) }
  const player = parseVendor(VENDOR, await askInnertube(context, 'player', asked), Player)
  // Those it takes for robots are sometimes shown another video.
  if (player.videoDetails && player.videoDetails.videoId !== videoId) throw robot()
  return player
}

const robot = (): AppError =>
  refusal(`${VENDOR} takes this gateway for a robot and does not answer. Try again later, or ask its operator.`)

/** True when it is we who are refused, not the video that is missing. */
export const isBotCheck = ({ playabilityStatus }: Player): boolean => /\bbot\b/i.test(playabilityStatus?.reason ?? '')

/** Why a video cannot be had, in words for the caller; null when it can. */
export function whyMissing(player: Player): AppError | null {
  const { status = '', reason, errorScreen } = player.playabilityStatus ?? {}
  if (status === 'OK' || status === 'LIVE_STREAM_OFFLINE') return null
  if (isBotCheck(player)) return robot()
  const told = reason ?? ''
  const more = errorScreen?.playerErrorMessageRenderer.subreason ?? ''
  if (/private/i.test(told)) return refusal('This video is private.')
  if (/member/i.test(told)) return refusal('This video is for paying members of its channel only.')
  if (/\bage\b|inappropriate/i.test(told) || status.startsWith('AGE_')) {
    return refusal('This video is shown to signed-in adults only.')
  }
  if (/countr/i.test(`${told} ${more}`))
    return refusal('This video is not shown in the country this gateway asks from.')
  if (status === 'ERROR' || status === '')
    return refusal(`There is no such video, or it was removed${inBrackets(more)}.`)
  return refusal(`${VENDOR} does not show this video to the public${inBrackets(told)}.`)
}

const inBrackets = (words: string): string => {
  const short = trimEnd(words.slice(0, 200), ' \t\n.')
  return short === '' ? '' : ` (${short})`
}
