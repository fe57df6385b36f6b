import { fillTemplate } from '../kit/template'
import shapes from './shapes.json'
import { commentsOf, findVideo, type SimulatedVideo, searchVideos, subscribersOf, videoExcerpt } from './videos'

/**
 * The YouTube Data API v3, https://developers.google.com/youtube/v3/docs. Failures, asked for with
 * the key: `sandbox-badkey` not valid · `sandbox-quota` the day's quota is used up.
 */
export const dataApi = {
  videos: (req: Request) => guarded(req, listVideos),
  channels: (req: Request) => guarded(req, listChannels),
  search: (req: Request) => guarded(req, search),
  commentThreads: (req: Request) => guarded(req, listComments),
}

/** https://developers.google.com/youtube/v3/docs/errors */
function error(code: number, domain: string, reason: string, message: string, more: object = {}): Response {
  return Response.json({ error: { code, message, errors: [{ message, domain, reason }], ...more } }, { status: code })
}

function guarded(req: Request, answer: (query: URLSearchParams) => Response): Response {
  const query = new URL(req.url).searchParams
  const key = req.headers.get('x-goog-api-key') ?? query.get('key')
  if (!key) return error(403, 'global', 'forbidden', 'The request is missing a valid API key.')
  if (key === 'sandbox-badkey') {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' }]
    const message = 'API key not valid. Please pass a valid API key.'
    return error(400, 'global', 'badRequest', message, { status: 'INVALID_ARGUMENT', details })
  }
  if (key === 'sandbox-quota') {
    return error(403, 'youtube.quota', 'quotaExceeded', 'You have exceeded your <a href="/quota">quota</a>.')
  }
  return answer(query)
}

/** What the forms name of a video: its own fields, and the API's ways to write them. */
const valuesOf = (video: SimulatedVideo) => ({
  ...video,
  tags: video.keywords.length > 0 ? video.keywords : undefined,
  broadcast: video.isLive ? 'live' : 'none',
  duration: video.isLive ? 'P0D' : `PT${Math.floor(video.seconds / 60)}M${video.seconds % 60}S`,
  likeText: video.id === 'sandbox0000' ? undefined : String(video.likes),
  escapedTitle: video.title.replaceAll('&', '&amp;'),
  escapedChannel: video.channel.name.replaceAll('&', '&amp;'),
  escapedExcerpt: videoExcerpt(video).replaceAll("'", '&#39;'),
})

/** https://developers.google.com/youtube/v3/docs/videos/list: numbers are strings or absent. */
function listVideos(query: URLSearchParams): Response {
  const found = (query.get('id') ?? '').split(',').flatMap((id) => findVideo(id) ?? [])
  const items = found.map((video) => fillTemplate(shapes.apiVideo, valuesOf(video)))
  return Response.json({ kind: 'youtube#videoListResponse', items, pageInfo: page(items.length) })
}

const page = (n: number) => ({ totalResults: n, resultsPerPage: n })

/** https://developers.google.com/youtube/v3/docs/channels/list */
function listChannels(query: URLSearchParams): Response {
  const id = query.get('id')
  return Response.json({ items: [fillTemplate(shapes.channel, { id, subscribers: subscribersOf(id ?? '') })] })
}

/**
 * https://developers.google.com/youtube/v3/docs/search/list: titles are escaped, and a channel
 * mixes in.
 */
function search(query: URLSearchParams): Response {
  const limit = Math.min(Number(query.get('maxResults') ?? 5), 50)
  const since = Date.parse(query.get('publishedAfter') ?? '')
  const asked = { query: query.get('q') ?? '', sinceMs: since || 0, country: query.get('regionCode') ?? 'US' }
  const ids = searchVideos(asked).slice(0, limit)
  const found = ids.flatMap((id) => findVideo(id) ?? [])
  const items = found.map((video) => fillTemplate(shapes.apiFound, valuesOf(video)))
  const pageInfo = { totalResults: 1_000_000, resultsPerPage: limit }
  return Response.json({ pageInfo, items: [...items, shapes.channelFound] })
}

/**
 * https://developers.google.com/youtube/v3/docs/commentThreads/list: a removed account has an empty
 * name and no id.
 */
function listComments(query: URLSearchParams): Response {
  const video = findVideo(query.get('videoId') ?? '')
  if (!video)
    return error(404, 'youtube.commentThread', 'videoNotFound', 'The <code>videoId</code> could not be found.')
  if (video.comments === null) {
    return error(403, 'youtube.commentThread', 'commentsDisabled', 'The video has <code>disabled</code> comments.')
  }
  const from = Number(query.get('pageToken') ?? 0)
  if (!Number.isInteger(from)) return error(400, 'youtube.commentThread', 'processingFailure', 'Could not process.')
  const found = commentsOf(video, from, Number(query.get('maxResults') ?? 20))
  const items = found.map((comment, i) =>
    fillTemplate(shapes.apiComment, {
      ...comment,
      videoId: video.id,
      owner: video.channel.id,
      author: comment.isGone ? '' : comment.author,
      authorChannel: comment.isGone ? undefined : { value: comment.channelId },
      original: i % 2 === 0 ? comment.text : undefined,
      publishedAt: new Date(comment.publishedMs).toISOString(),
      updatedAt: new Date(comment.publishedMs + (comment.isEdited ? 300_000 : 0)).toISOString(),
    }),
  )
  const onward = from + found.length
  const next = onward < video.comments && { nextPageToken: String(onward) }
  return Response.json({ ...next, items, pageInfo: page(found.length) })
}
