import { type SimulatedVideo, searchVideos, simulatedVideos } from './videos'
import { channelOf, continuation, continuationTokenOf, textRuns } from './watch-page'

const ROWS_A_PAGE = 20

/** The days each upload filter reaches back, by the number in its protobuf. */
const DAYS: Record<number, number> = { 1: 0, 2: 1, 3: 7, 4: 30, 5: 365 }

/**
 * POST /youtubei/v1/search. The first page and later ones have different envelopes; not all items
 * are videos.
 */
export function searchPage({ query, filter, from }: { query: string; filter: string; from: number }): object {
  const bytes = Buffer.from(decodeURIComponent(filter), 'base64')
  const days = bytes[1] === 4 ? (DAYS[bytes[3] ?? 0] ?? 365) : Number.POSITIVE_INFINITY
  const found = searchVideos(query).filter((video) => video.isLive || simulatedVideos.indexOf(video) < days)
  const rows = found.slice(from, from + ROWS_A_PAGE)
  const items = rows.map((video, i) => (i === 7 ? lockup(video) : renderer(video)))
  const extras =
    from === 0 && rows.length > 0 ? [shelf(simulatedVideos[70]), { adSlotRenderer: { adSlotMetadata: {} } }] : []
  const message = { backgroundPromoRenderer: { title: { runs: [{ text: 'No results found' }] } } }
  const contents = rows.length > 0 ? [...extras, ...items] : [message]
  const onward = from + ROWS_A_PAGE
  const sections = [
    { itemSectionRenderer: { contents } },
    ...(onward < found.length
      ? [continuation(continuationTokenOf(`search:${onward}:${filter}:${query}`), '/youtubei/v1/search')]
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

const age = (video: SimulatedVideo): string => `${simulatedVideos.indexOf(video) + 1} days ago`

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
          publishedTimeText: { simpleText: age(video) },
          lengthText: { simpleText: clock(video.seconds) },
          viewCountText: { simpleText: `${textRuns(video.views)} views` },
        }),
    detailedMetadataSnippets: [{ snippetText: { runs: [{ text: video.lines[0] }, { text: ' ...' }] } }],
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
                  { text: { content: age(video) } },
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
