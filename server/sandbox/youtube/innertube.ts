import { fillTemplate } from '../kit/template'
import { HOUR_MS, MINUTE_MS } from '../kit/time'
import shapes from './shapes.json'
import { commentsOf, findVideo, type SimulatedComment, type SimulatedVideo, searchVideos, videoExcerpt } from './videos'

const ROWS_A_PAGE = 20
const NO_PANEL = ['sandboxnocc', 'sandboxmemb', 'sandboxgeos']
const WITH_DETAILS = ['sandboxmemb', 'sandboxgeos']
const DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })

const UNITS: readonly [string, number][] = [
  ['year', 365 * 1440],
  ['month', 30 * 1440],
  ['week', 7 * 1440],
  ['day', 1440],
  ['hour', 60],
]

/** `3 days ago`, as the site writes it. */
function ageInWords(publishedMs: number): string {
  const minutes = Math.max(1, Math.floor((Date.now() - publishedMs) / MINUTE_MS))
  const [unit, size] = UNITS.find(([, one]) => minutes >= one) ?? ['minute', 1]
  const count = Math.floor(minutes / size)
  return `${count} ${unit}${count === 1 ? '' : 's'} ago`
}

/** `25.4K`, with three digits. */
const COMPACT = new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 3 })

const clock = (seconds: number): string => {
  const [h, ...rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const [m = 0, s] = rest.map((n) => String(n).padStart(2, '0'))
  return h > 0 ? `${h}:${m}:${s}` : `${Number(m)}:${s}`
}

const grouped = (n: number): string => n.toLocaleString('en-US')
const simple = (simpleText: string) => ({ simpleText })
const runs = (...texts: string[]) => ({ runs: texts.map((text) => ({ text })) })

/** Opaque to clients: base64, and percent-encoded already. */
const tokenOf = (text: string): string => encodeURIComponent(Buffer.from(text).toString('base64'))

const continuation = (text: string, path: string) =>
  fillTemplate(shapes.continuation, { token: tokenOf(text), apiUrl: `/youtubei/v1/${path}` })

/** Everything that the forms name of a video. */
const valuesOf = (video: SimulatedVideo) => ({
  ...video,
  length: video.isLive ? 0 : video.seconds,
  // Absent, not empty, when a video has no keywords.
  tags: video.keywords.length > 0 ? video.keywords : undefined,
  live: video.isLive || undefined,
  owner: fillTemplate(shapes.owner, video),
  excerpt: videoExcerpt(video),
  clockText: clock(video.seconds),
  viewsText: grouped(video.views),
  age: ageInWords(Date.parse(video.publishedAt)),
})

/**
 * POST /youtubei/v1/player. Numbers are strings; `microformat` is there for the web client only.
 * A video that cannot be had is a 200; some of them still have their details.
 */
export function playerOf(id: string, video: SimulatedVideo | undefined, isWeb: boolean): object {
  const refused = (shapes.refusals as Record<string, object>)[id]
  if (!video || refused) {
    const details = video && WITH_DETAILS.includes(id) ? fillTemplate(shapes.details, valuesOf(video)) : undefined
    return fillTemplate(shapes.player, { playability: refused ?? shapes.missing, details })
  }
  const day = video.publishedAt.replace('.000Z', '-00:00')
  // exp=xpe: the address wants a proof of a browser.
  const proof = id === 'sandboxnull' ? '&exp=xpe' : ''
  const track = (lang: string, kind?: string) =>
    fillTemplate(shapes.track, {
      id,
      lang,
      kind,
      query: `${kind ? `&kind=${kind}` : ''}${proof}`,
      name: kind ? 'English (auto-generated)' : lang,
      automatic: kind ? 'a' : '',
    })
  const tracks = [track('es'), track('en', 'asr'), track('en')]
  return fillTemplate(shapes.player, {
    playability: { status: 'OK', playableInEmbed: true },
    details: fillTemplate(shapes.details, valuesOf(video)),
    captions: id === 'sandboxnocc' ? undefined : fillTemplate(shapes.captions, { tracks }),
    microformat: isWeb ? fillTemplate(shapes.microformat, { ...video, day }) : undefined,
  })
}

/** POST /youtubei/v1/next of a video: its page. Without a video there is no page. */
export function watchPage(video: SimulatedVideo | undefined): object {
  if (!video) return { ...fillTemplate(shapes.player, {}), playerOverlays: {} }
  const { id, views, comments, isLive, publishedAt, channel } = video
  return fillTemplate(shapes.watch, {
    ...valuesOf(video),
    viewCount: isLive
      ? { isLive: true, viewCount: runs('1,234', ' watching now') }
      : { viewCount: simple(`${grouped(views)} views`) },
    day: DAY.format(new Date(publishedAt)),
    subscribers: COMPACT.format(channel.subscribers),
    section: comments === null ? shapes.commentsOff : continuation(`comments:${id}:0`, 'next'),
    panels: NO_PANEL.includes(id) ? [] : [fillTemplate(shapes.panel, { token: tokenOf(`transcript:${id}`) })],
  })
}

/** POST /youtubei/v1/next of a comment token: threads hold keys to what is in `mutations`. */
export function commentsPage(video: SimulatedVideo, from: number): object {
  const found = commentsOf(video, from, ROWS_A_PAGE)
  const onward = from + found.length
  const keyOf = (id: string) => tokenOf(`key:${id}`)
  const pinnedText = `Pinned by @${video.channel.handle.slice(2)}`
  const threads = found.map(({ id }, i) =>
    fillTemplate(shapes.thread, { id, key: keyOf(id), pinned: from + i === 0 ? pinnedText : undefined }),
  )
  const continuationItems = [
    ...threads,
    ...(from === 0 && found.length > 0 ? [{ commentFilterContextViewModel: { title: 'Filter' } }] : []),
    ...(onward < (video.comments ?? 0) ? [continuation(`comments:${video.id}:${onward}`, 'next')] : []),
  ]
  const header = [{ commentsHeaderRenderer: { commentsCount: runs(String(video.comments)) } }]
  const targetId = 'comments-section'
  const reload = (items: object[]) => ({ reloadContinuationItemsCommand: { targetId, continuationItems: items } })
  const entity = (comment: SimulatedComment) =>
    fillTemplate(shapes.comment, {
      ...comment,
      key: keyOf(comment.id),
      age: `${ageInWords(comment.publishedMs)}${comment.isEdited ? ' (edited)' : ''}`,
      authorId: comment.isGone ? undefined : comment.channelId,
      authorName: comment.isGone ? '' : comment.author,
      isOwn: comment.channelId === video.channel.id,
      // Nothing is a blank here and an empty string there.
      likesText: comment.likes ? COMPACT.format(comment.likes) : ' ',
      repliesText: comment.replies ? String(comment.replies) : '',
    })
  const append = { appendContinuationItemsAction: { targetId, continuationItems } }
  return {
    ...fillTemplate(shapes.player, {}),
    onResponseReceivedEndpoints: from === 0 ? [reload(header), reload(continuationItems)] : [append],
    frameworkUpdates: { entityBatchUpdate: { mutations: found.map(entity) } },
  }
}

/** POST /youtubei/v1/get_transcript: times are strings, a chapter's title is among the lines. */
export function transcriptPage({ id, lines }: SimulatedVideo): object {
  const spoken = lines.map((line, i) =>
    fillTemplate(shapes.segment, {
      from: String(1500 + i * 12_500),
      to: String(13_900 + i * 12_500),
      text: line.replaceAll('&', '&amp;').replace('. ', '.\n'),
      target: `${id}.${i}`,
    }),
  )
  return fillTemplate(shapes.transcript, { segments: [shapes.chapter, ...spoken, shapes.silence] })
}

/** The hours each upload filter reaches back, by the number in its protobuf. */
const HOURS: Record<number, number> = { 1: 1, 2: 24, 3: 7 * 24, 4: 30 * 24, 5: 365 * 24 }

type SearchAsked = { query: string; filter: string; from: number; country: string }

const rowOf = (video: SimulatedVideo) => {
  const values = valuesOf(video)
  const shown = video.isLive
    ? { badges: shapes.liveBadges, viewText: runs('1,234', ' watching') }
    : { published: simple(values.age), clock: simple(values.clockText), viewText: simple(`${values.viewsText} views`) }
  return fillTemplate(shapes.row, { ...values, ...shown })
}

/**
 * POST /youtubei/v1/search. The first page and later ones have different envelopes; not all items
 * are videos, and one is in the form that takes the place of renderers.
 */
export function searchPage({ query, filter, from, country }: SearchAsked): object {
  const bytes = Buffer.from(decodeURIComponent(filter), 'base64')
  const hours = bytes[1] === 4 ? HOURS[bytes[3] ?? 0] : undefined
  const sinceMs = hours === undefined ? 0 : Date.now() - hours * HOUR_MS
  const found = searchVideos({ query, sinceMs, country })
  const videos = found.slice(from, from + ROWS_A_PAGE).flatMap((id) => findVideo(id) ?? [])
  const rows = videos.map((video, i) => (i === 7 ? fillTemplate(shapes.lockup, valuesOf(video)) : rowOf(video)))
  const other = findVideo('sandbox0070')
  const shelf = fillTemplate(shapes.shelf, { items: other ? [rowOf(other)] : [] })
  const extras = from === 0 ? [shelf, { adSlotRenderer: { adSlotMetadata: {} } }] : []
  const onward = from + ROWS_A_PAGE
  const sections = [
    { itemSectionRenderer: { contents: rows.length > 0 ? [...extras, ...rows] : [shapes.nothing] } },
    ...(onward < found.length ? [continuation(`search:${onward}:${filter}:${country}:${query}`, 'search')] : []),
  ]
  return fillTemplate(from > 0 ? shapes.moreFound : shapes.firstFound, { count: String(found.length), sections })
}
