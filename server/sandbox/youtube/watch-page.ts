import { ageInWords } from './age-in-words'
import { commentsOf, type SimulatedComment } from './comments'
import type { SimulatedVideo } from './videos'

const LOGGED_OUT = { mainAppWebResponseContext: { loggedOut: true } }
const COMMENTS_A_PAGE = 20
const NO_PANEL = ['sandboxnocc', 'sandboxmemb', 'sandboxgeos']
const DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })

/** Opaque to clients: base64, and percent-encoded already. */
export const continuationTokenOf = (text: string): string => encodeURIComponent(Buffer.from(text).toString('base64'))

export const continuation = (token: string, apiUrl: string) => ({
  continuationItemRenderer: {
    trigger: 'CONTINUATION_TRIGGER_ON_ITEM_SHOWN',
    continuationEndpoint: {
      commandMetadata: { webCommandMetadata: { sendPost: true, apiUrl } },
      continuationCommand: { token, request: 'CONTINUATION_REQUEST_TYPE_WATCH_NEXT' },
    },
  },
})

export const channelOf = ({ channel }: SimulatedVideo) => ({
  text: channel.name,
  navigationEndpoint: { browseEndpoint: { browseId: channel.id, canonicalBaseUrl: channel.handle } },
})

export const textRuns = (n: number): string => n.toLocaleString('en-US')

/** `25.4K`, with three digits. */
const rounded = (n: number): string => {
  const exact = Number(n.toPrecision(3))
  if (exact >= 1_000_000) return `${exact / 1_000_000}M`
  return exact >= 1000 ? `${exact / 1000}K` : String(exact)
}

/** POST /youtubei/v1/next of a video: its page. Without a video there is no page. */
export function watchPage(video: SimulatedVideo | undefined): object {
  if (!video) return { responseContext: LOGGED_OUT, playerOverlays: {} }
  const { id, title, views, description, comments, isLive, publishedAt, channel } = video
  const viewCount = isLive
    ? { isLive: true, viewCount: { runs: [{ text: '1,234' }, { text: ' watching now' }] } }
    : { viewCount: { simpleText: `${textRuns(views)} views` } }
  const section =
    comments === null
      ? { messageRenderer: { text: { runs: [{ text: 'Comments are turned off. ' }, { text: 'Learn more' }] } } }
      : continuation(continuationTokenOf(`comments:${id}:0`), '/youtubei/v1/next')
  const contents = [
    {
      videoPrimaryInfoRenderer: {
        title: { runs: [{ text: title }] },
        viewCount: { videoViewCountRenderer: viewCount },
        dateText: { simpleText: DAY.format(new Date(publishedAt)) },
      },
    },
    {
      videoSecondaryInfoRenderer: {
        owner: {
          videoOwnerRenderer: {
            title: { runs: [channelOf(video)] },
            navigationEndpoint: channelOf(video).navigationEndpoint,
            subscriberCountText: { simpleText: `${rounded(channel.subscribers)} subscribers` },
          },
        },
        attributedDescription: { content: description },
      },
    },
    { itemSectionRenderer: { contents: [section], sectionIdentifier: 'comment-item-section' } },
  ]
  return {
    responseContext: LOGGED_OUT,
    contents: { twoColumnWatchNextResults: { results: { results: { contents } } } },
    engagementPanels: NO_PANEL.includes(id) ? [] : [transcriptPanel(id)],
  }
}

const transcriptPanel = (id: string) => ({
  engagementPanelSectionListRenderer: {
    panelIdentifier: 'engagement-panel-searchable-transcript',
    content: {
      continuationItemRenderer: {
        trigger: 'CONTINUATION_TRIGGER_ON_ITEM_SHOWN',
        continuationEndpoint: { getTranscriptEndpoint: { params: continuationTokenOf(`transcript:${id}`) } },
      },
    },
  },
})

/**
 * POST /youtubei/v1/next of a comment token: threads hold keys, their content is in `mutations`.
 */
export function commentsPage(video: SimulatedVideo, from: number): object {
  const found = commentsOf(video, from, COMMENTS_A_PAGE)
  const onward = from + found.length
  const items = [
    ...found.map((comment, i) =>
      thread(comment, from + i === 0 ? `Pinned by @${video.channel.handle.slice(2)}` : null),
    ),
    ...(from === 0 && found.length > 0 ? [{ commentFilterContextViewModel: { title: 'Filter' } }] : []),
    ...(onward < (video.comments ?? 0)
      ? [continuation(continuationTokenOf(`comments:${video.id}:${onward}`), '/youtubei/v1/next')]
      : []),
  ]
  const header = [{ commentsHeaderRenderer: { commentsCount: { runs: [{ text: String(video.comments) }] } } }]
  const targetId = 'comments-section'
  return {
    responseContext: LOGGED_OUT,
    onResponseReceivedEndpoints:
      from === 0
        ? [
            { reloadContinuationItemsCommand: { targetId, continuationItems: header } },
            { reloadContinuationItemsCommand: { targetId, continuationItems: items } },
          ]
        : [{ appendContinuationItemsAction: { targetId, continuationItems: items } }],
    frameworkUpdates: { entityBatchUpdate: { mutations: found.map((c) => entity(c, video)) } },
  }
}

const keyOf = (id: string): string => continuationTokenOf(`key:${id}`)

const thread = ({ id }: SimulatedComment, pinnedText: string | null) => ({
  commentThreadRenderer: {
    commentViewModel: { commentViewModel: { commentKey: keyOf(id), commentId: id, ...(pinnedText && { pinnedText }) } },
  },
})

const entity = (comment: SimulatedComment, { channel }: SimulatedVideo) => {
  const { id, text, author, channelId, likes, replies, publishedMs, isEdited, isGone } = comment
  return {
    entityKey: keyOf(id),
    type: 'ENTITY_MUTATION_TYPE_REPLACE',
    payload: {
      commentEntityPayload: {
        key: keyOf(id),
        properties: {
          commentId: id,
          content: { content: text },
          publishedTime: `${ageInWords(publishedMs)}${isEdited ? ' (edited)' : ''}`,
        },
        author: {
          ...(isGone ? { displayName: '' } : { channelId, displayName: author }),
          isVerified: channelId === channel.id,
          isCreator: channelId === channel.id,
        },
        // Nothing is a blank here and an empty string there.
        toolbar: {
          likeCountNotliked: likes ? rounded(likes) : ' ',
          replyCount: replies ? String(replies) : '',
        },
      },
    },
  }
}

/**
 * POST /youtubei/v1/get_transcript: times are strings, and the title of a chapter stands among the
 * lines.
 */
export function transcriptPage({ id, lines }: SimulatedVideo): object {
  const chapter = { startMs: '0', endMs: '60000', snippet: { simpleText: 'Intro' } }
  const initialSegments = [
    { transcriptSectionHeaderRenderer: chapter },
    ...lines.map((line, i) => ({
      transcriptSegmentRenderer: {
        startMs: String(1500 + i * 12_500),
        endMs: String(13_900 + i * 12_500),
        snippet: { runs: [{ text: line.replaceAll('&', '&amp;').replace('. ', '.\n') }] },
        targetId: `${id}.${i}`,
      },
    })),
    { transcriptSegmentRenderer: { startMs: '900000', endMs: '901000', snippet: { runs: [] } } },
  ]
  const body = { transcriptSegmentListRenderer: { initialSegments } }
  const content = { transcriptRenderer: { content: { transcriptSearchPanelRenderer: { body } } } }
  return { actions: [{ updateEngagementPanelAction: { targetId: 'engagement-panel-searchable-transcript', content } }] }
}
