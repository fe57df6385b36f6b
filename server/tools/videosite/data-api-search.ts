import { decodeHTMLStrict } from 'entities/decode'
import { z } from 'zod'
import { type ProviderContext, unknownFormatError } from '../provider'
import { lenientObject, toIsoTime } from '../provider-fields'
import { fetchDataApi } from './data-api'
import { parseIsoDuration } from './data-api-video'
import { VIDEO_PROVIDER } from './errors'
import type { UploadedWithin, VideoSearchQuery } from './innertube-search'
import { thumbnailUrl, type VideoSearchRow, watchUrl } from './shape'
import { DigitString } from './text-fields'

const HOUR_MS = 3_600_000
const SINCE_MS: Record<UploadedWithin, number> = {
  last_hour: HOUR_MS,
  today: 24 * HOUR_MS,
  this_week: 7 * 24 * HOUR_MS,
  this_month: 30 * 24 * HOUR_MS,
  this_year: 365 * 24 * HOUR_MS,
}

const Hit = z.object({
  id: z.object({ videoId: z.string().min(1) }),
  snippet: z.object({
    publishedAt: z.string().optional(),
    channelId: z.string().nullish(),
    channelTitle: z.string().nullish(),
    title: z.string(),
    description: z.string().default(''),
    liveBroadcastContent: z.string().optional(),
  }),
})
const Detail = z.object({
  id: z.string(),
  contentDetails: lenientObject({ duration: z.string().optional() }),
  statistics: lenientObject({ viewCount: DigitString }),
})
type Detail = z.output<typeof Detail>

/** search.list, with lengths and views from videos.list. Throws `upstream_error`. */
export async function searchDataApi(
  context: ProviderContext,
  { query, limit, uploaded, lang, country }: VideoSearchQuery,
): Promise<VideoSearchRow[]> {
  const params = {
    part: 'snippet',
    type: 'video',
    q: query,
    maxResults: String(limit),
    relevanceLanguage: lang,
    regionCode: country,
    publishedAfter: uploaded && new Date(Date.now() - SINCE_MS[uploaded]).toISOString(),
  }
  const { items } = await fetchDataApi(context, 'search', params, z.object({ items: z.array(z.unknown()) }))
  // Channels and playlists come all the same.
  const hits = items.flatMap((item) => Hit.safeParse(item).data ?? []).slice(0, limit)
  if (hits.length === 0 && items.length > 0) throw unknownFormatError(VIDEO_PROVIDER)
  if (hits.length === 0) return []
  const ids = hits.map((hit) => hit.id.videoId)
  const details = await detailsOf(context, ids)
  return hits.map(({ id: { videoId }, snippet }) => {
    const detail = details.get(videoId)
    const isLive = snippet.liveBroadcastContent === 'live'
    return {
      videoId,
      url: watchUrl(videoId),
      // Escaped here, unlike in videos.list.
      title: decodeHTMLStrict(snippet.title),
      description: decodeHTMLStrict(snippet.description),
      channel: {
        id: snippet.channelId ?? null,
        name: snippet.channelTitle ? decodeHTMLStrict(snippet.channelTitle) : null,
      },
      viewCount: detail?.statistics?.viewCount ?? null,
      durationSeconds: isLive ? null : parseIsoDuration(detail?.contentDetails?.duration),
      publishedAt: toIsoTime(snippet.publishedAt),
      publishedText: null,
      isLive,
      thumbnail: thumbnailUrl(videoId),
    }
  })
}

/** Lengths and views; the rows go without them when the request fails. */
async function detailsOf(context: ProviderContext, ids: string[]): Promise<Map<string, Detail>> {
  const query = { part: 'contentDetails,statistics', id: ids.join(',') }
  const shape = z.object({ items: z.array(Detail) })
  const { items } = await fetchDataApi(context, 'videos', query, shape).catch(() => ({ items: [] as Detail[] }))
  return new Map(items.map((item) => [item.id, item]))
}
