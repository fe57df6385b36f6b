import { decodeHTMLStrict } from 'entities/decode'
import { z } from 'zod'
import type { ProviderContext } from '../provider'
import { lenientObject, toIsoTime } from '../provider-fields'
import { fetchDataApi } from './data-api'
import { videoError } from './errors'
import { channelUrl, thumbnailUrl, type VideoDetails, watchUrl } from './shape'
import { DigitString } from './text-fields'

/** Numbers are strings here, and missing when the owner hides them. */
const Item = z.object({
  id: z.string(),
  snippet: z.object({
    publishedAt: z.string().optional(),
    channelId: z.string(),
    title: z.string(),
    description: z.string().default(''),
    channelTitle: z.string().nullish(),
    tags: z.array(z.string()).default([]),
    liveBroadcastContent: z.string().optional(),
  }),
  contentDetails: lenientObject({ duration: z.string().optional() }),
  statistics: lenientObject({ viewCount: DigitString, likeCount: DigitString }),
})
const Channels = z.object({
  items: z.array(z.object({ statistics: z.object({ subscriberCount: DigitString }) })).default([]),
})

/**
 * videos.list, with the channel's subscribers from channels.list. For a video that is not public
 * the list is empty.
 */
export async function fetchDataApiVideo(context: ProviderContext, videoId: string): Promise<VideoDetails> {
  const query = { part: 'snippet,contentDetails,statistics', id: videoId }
  const { items } = await fetchDataApi(context, 'videos', query, z.object({ items: z.array(Item) }))
  const item = items.find((found) => found.id === videoId)
  if (!item) throw videoError('not_found', 'There is no such video, or it is not public.')
  const { snippet, statistics, contentDetails } = item
  const isLive = snippet.liveBroadcastContent === 'live'
  return {
    videoId: item.id,
    url: watchUrl(item.id),
    // Some titles are escaped, as all are in search.list.
    title: decodeHTMLStrict(snippet.title),
    description: snippet.description,
    keywords: snippet.tags,
    viewCount: statistics?.viewCount ?? null,
    likeCount: statistics?.likeCount ?? null,
    durationSeconds: isLive ? null : parseIsoDuration(contentDetails?.duration),
    publishedAt: toIsoTime(snippet.publishedAt),
    publishedText: null,
    category: null,
    isLive,
    thumbnail: thumbnailUrl(item.id),
    channel: {
      id: snippet.channelId,
      name: snippet.channelTitle ?? null,
      url: channelUrl(`/channel/${snippet.channelId}`),
      subscriberCount: await subscribers(context, snippet.channelId),
    },
    isPlayable: true,
    unavailableReason: null,
  }
}

/** The number of subscribers; null when it is hidden or the request fails. */
async function subscribers(context: ProviderContext, id: string): Promise<number | null> {
  const found = await fetchDataApi(context, 'channels', { part: 'statistics', id }, Channels).catch(() => ({
    items: [],
  }))
  return found.items[0]?.statistics.subscriberCount ?? null
}

/** `PT1H2M3S` in seconds. Null for anything else, and for `P0D`, a stream that has not ended. */
export function parseIsoDuration(iso: string | undefined): number | null {
  const found = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(iso ?? '')
  if (!found) return null
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = found.slice(1).map((part) => Number(part ?? 0))
  return days * 86_400 + hours * 3600 + minutes * 60 + seconds || null
}
