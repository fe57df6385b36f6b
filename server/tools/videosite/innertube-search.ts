import { z } from 'zod'
import { type ProviderContext, parseProviderJson, unknownFormatError } from '../provider'
import { VIDEO_PROVIDER } from './errors'
import { fetchInnertube, type InnertubePayload } from './innertube'
import { readLockupRow, readVideoRow } from './innertube-search-rows'
import type { VideoSearchRow } from './shape'
import { findContinuationToken } from './watch-page'

export const UPLOADED_WITHIN = ['last_hour', 'today', 'this_week', 'this_month', 'this_year'] as const
export type UploadedWithin = (typeof UPLOADED_WITHIN)[number]

/** `lang` and `country` are codes, the latter in capitals. */
export type VideoSearchQuery = {
  query: string
  limit: number
  uploaded?: UploadedWithin
  lang?: string
  country?: string
}

/** The search filter as the site writes it (base64 of a protobuf): videos only, uploaded since. */
const FILTERS: Record<UploadedWithin | 'any', string> = {
  any: 'EgIQAQ==',
  last_hour: 'EgQIARAB',
  today: 'EgQIAhAB',
  this_week: 'EgQIAxAB',
  this_month: 'EgQIBBAB',
  this_year: 'EgQIBRAB',
}

/** About 20 rows a page: more than the maximum of 50 videos, even when some rows are not videos. */
const MAX_PAGES = 6

const list = z.array(z.unknown())
const Sections = z.object({ contents: list.default([]) })
const FirstPage = z.object({
  contents: z.object({
    twoColumnSearchResultsRenderer: z.object({
      primaryContents: z.object({ sectionListRenderer: Sections }),
    }),
  }),
})
const LaterPage = z.object({
  onResponseReceivedCommands: z.array(
    z.object({ appendContinuationItemsAction: z.object({ continuationItems: list.default([]) }).optional() }),
  ),
})
/** The first page and later ones have different envelopes. */
const Page = z.union([
  FirstPage.transform((p) => p.contents.twoColumnSearchResultsRenderer.primaryContents.sectionListRenderer.contents),
  LaterPage.transform((p) =>
    p.onResponseReceivedCommands.flatMap((c) => c.appendContinuationItemsAction?.continuationItems ?? []),
  ),
])
const Section = z.object({ itemSectionRenderer: Sections })

/**
 * POST /youtubei/v1/search, page after page until there are enough rows. Throws `upstream_error`.
 */
export async function searchInnertube(context: ProviderContext, query: VideoSearchQuery): Promise<VideoSearchRow[]> {
  const locale = { lang: query.lang ?? 'en', country: query.country ?? 'US' }
  const rows = new Map<string, VideoSearchRow>()
  let token: string | null = null
  for (let page = 0; page < MAX_PAGES; page++) {
    const payload: InnertubePayload =
      token === null ? { query: query.query, params: FILTERS[query.uploaded ?? 'any'] } : { continuation: token }
    const sections: unknown[] = parseProviderJson(
      VIDEO_PROVIDER,
      await fetchInnertube(context, 'search', payload, locale),
      Page,
    )
    const items = sections.flatMap((s) => Section.safeParse(s).data?.itemSectionRenderer.contents ?? [])
    const found = items.flatMap((item) => readVideoRow(item, locale.lang) ?? readLockupRow(item) ?? [])
    if (found.length === 0 && items.some(isUnreadVideo)) throw unknownFormatError(VIDEO_PROVIDER)
    for (const row of found) if (isRecent(row, query)) rows.set(row.videoId, row)
    token = findContinuationToken(sections)
    if (token === null || rows.size >= query.limit) break
  }
  return [...rows.values()].slice(0, query.limit)
}

/** A video that could not be read; shelves, channels, advertisements and messages are left out. */
const isUnreadVideo = (item: unknown): boolean => VideoLike.safeParse(item).success
const VideoLike = z.union([
  z.object({ videoRenderer: z.unknown() }),
  z.object({ lockupViewModel: z.object({ contentType: z.literal('LOCKUP_CONTENT_TYPE_VIDEO') }) }),
])

/**
 * The site no longer offers the last hour as a filter and may ignore it, so older videos are left
 * out here.
 */
const isRecent = ({ publishedText }: VideoSearchRow, { uploaded }: VideoSearchQuery): boolean =>
  uploaded !== 'last_hour' || !/\b(hour|day|week|month|year)s? ago\b/i.test(publishedText ?? '')
