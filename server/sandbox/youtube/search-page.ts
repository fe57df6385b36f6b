import { ageInWords } from './age-in-words'
import { findVideo } from './find'
import { type SimulatedVideo, searchVideos, videoExcerpt } from './videos'
import { channelOf, continuation, continuationTokenOf, textRuns } from './watch-page'

const ROWS_A_PAGE = 20

/** The hours each upload filter reaches back, by the number in its protobuf. */
const HOURS: Record<number, number> = { 1: 1, 2: 24, 3: 7 * 24, 4: 30 * 24, 5: 365 * 24 }

type SearchAsked = { query: string; filter: string; from: number; country: string }

/**
 * POST /youtubei/v1/search. The first page and later ones have different envelopes; not all items
 * are videos.
 */
export function searchPage({ query, filter, from, country }: SearchAsked): object {
  const bytes = Buffer.from(decodeURIComponent(filter), 'base64')
  const hours = bytes[1] === 4 ? HOURS[bytes[3] ?? 0] : undefined
  const sinceMs = hours === undefined ? 0 : Date.now() - hours * 3_600_000
  const found = searchVideos({ query, sinceMs, country })
  const rows = found.slice(from, from + ROWS_A_PAGE).flatMap((id) => findVideo(id) ?? [])
  const items = rows.map((video, i) => (i === 7 ? lockup(video) : renderer(video)))
  const extras =
    from === 0 && rows.length > 0 ? [shelf(findVideo('sandbox0070')), { adSlotRenderer: { adSlotMetadata: {} } }] : []
  const message = { backgroundPromoRenderer: { title: { runs: [{ text: 'No results found' }] } } }
  const contents = rows.length > 0 ? [...extras, ...items] : [message]
  const onward = from + ROWS_A_PAGE
  const sections = [
    { itemSectionRenderer: { contents } },
    ...(onward < found.length
      ? [continuation(continuationTokenOf(`search:${onward}:${filter}:${country}:${query}`), '/youtubei/v1/search')]
      : []),
  ]
  const estimatedResults = String(found.length)
  if (from > 0) {
    const appendContinuationItemsAction = { continuationItems: sections, targetId: 'search-feed' }
    return { estimatedResults, onResponseReceivedCommands: [{ appendContinuationItemsAction }] }
  }
  const primaryContents = { sectionListRenderer: { contents: sections } }
  return { estimatedResults, contents: { twoColumnSearchResultsRenderer: { primaryContents } } }
}

const clock = (seconds: number): string => {
  const two = (n: number) => String(n).padStart(2, '0')
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`
}

const renderer = (video: SimulatedVideo) => ({
  videoRenderer: {
    videoId: video.id,
    title: { runs: [{ text: video.title }] },
    ownerText: { runs: [channelOf(video)] },
    ...(video.isLive
      ? {
          badges: [{ metadataBadgeRenderer: { style: 'BADGE_STYLE_TYPE_LIVE_NOW', label: 'LIVE' } }],
          viewCountText: { runs: [{ text: '1,234' }, { text: ' watching' }] },
        }
      : {
          publishedTimeText: { simpleText: ageInWords(Date.parse(video.publishedAt)) },
          lengthText: { simpleText: clock(video.seconds) },
          viewCountText: { simpleText: `${textRuns(video.views)} views` },
        }),
    detailedMetadataSnippets: [{ snippetText: { runs: [{ text: videoExcerpt(video) }, { text: ' ...' }] } }],
  },
})

/** The form that takes the place of renderers. */
const lockup = (video: SimulatedVideo) => ({
  lockupViewModel: {
    contentId: video.id,
    contentType: 'LOCKUP_CONTENT_TYPE_VIDEO',
    contentImage: {
      thumbnailViewModel: {
        overlays: [
          {
            thumbnailBottomOverlayViewModel: {
              badges: [
                {
                  thumbnailBadgeViewModel: {
                    text: clock(video.seconds),
                    badgeStyle: 'THUMBNAIL_OVERLAY_BADGE_STYLE_DEFAULT',
                  },
                },
              ],
            },
          },
        ],
      },
    },
    metadata: {
      lockupMetadataViewModel: {
        title: { content: video.title },
        metadata: {
          contentMetadataViewModel: {
            metadataRows: [
              { metadataParts: [{ text: { content: video.channel.name } }] },
              {
                metadataParts: [
                  { text: { content: `${textRuns(video.views)} views` } },
                  { text: { content: ageInWords(Date.parse(video.publishedAt)) } },
                ],
              },
            ],
          },
        },
      },
    },
  },
})

const shelf = (video: SimulatedVideo | undefined) => ({
  shelfRenderer: {
    title: { simpleText: 'People also watched' },
    content: { verticalListRenderer: { items: video ? [renderer(video)] : [] } },
  },
})
