import { chanceOf, chancesOf, drawFrom } from '../kit/seed'
import { ageOf, timeOfAge } from '../kit/time'
import { topicOf } from '../prose/topic'
import { headlineCase } from '../prose/words'
import { personHandle } from '../social/handles'
import { fittingTexts, speakerAbout, topicKnownAs } from '../social/speaker'
import phrases from './phrases.json'
import { readVideoId, type VideoKey, writeVideoId } from './video-id'

/** A made-up video. `comments`: how many threads it has, null when they are turned off. */
export type SimulatedVideo = ReturnType<typeof videoWithId>

const OLDEST_MINUTES = 6 * 365 * 1440
const SECONDS_A_LINE = 12.5
const MAX_FOUND = 120

/** `sandbox0000` is a live stream, `sandbox0002` has comments turned off; some others, too. */
function figuresOfVideo({ topic, n }: VideoKey, id: string) {
  const chances = chancesOf(`video about ${topic} ${n}`)
  const [age = 0, views = 0, live = 0, comments = 0] = chances
  const isLive = id === 'sandbox0000' || live > 0.985
  const ageMinutes = isLive ? 50 : ageOf(age, 15, OLDEST_MINUTES)
  return {
    ageMinutes,
    // Most people watch in the first weeks.
    views: Math.round(40 + 40 * 10 ** (views ** 1.4 * 4.6) * Math.min(1, ageMinutes / 30_000) ** 0.6),
    isLive,
    hidesComments: id === 'sandbox0002' || comments > 0.985,
    chances,
  }
}

/** The video with an id: any id of 11 characters has one. */
export function videoWithId(id: string) {
  const key = readVideoId(id)
  const { ageMinutes, views, isLive, hidesComments, chances } = figuresOfVideo(key, id)
  const [, , , , like = 0, talk = 0, length = 0] = chances
  const draw = drawFrom(`video ${key.topic} ${key.n}`)
  const channel = channelAbout(key)
  const speaker = speakerAbout(key.topic, draw, { channel: channel.name })
  const publishedMs = timeOfAge(ageMinutes)
  const lines = spokenLines(speaker, 5 + Math.floor(length * 7))
  const words = speaker.topic.words.map((word) => word.toLowerCase())
  const commentCount = Math.min(Math.round(views ** 0.5 * (0.2 + talk * 0.6)), 240)
  return {
    id,
    topic: key.topic,
    title: speaker.say('title', phrases.titles),
    description: [
      speaker.say('description', phrases.descriptions),
      ...lines.filter((line) => line.length > 70).slice(0, 2),
      `More from ${channel.name}: https://www.youtube.com${channel.handle}`,
    ].join('\n\n'),
    seconds: Math.ceil(lines.length * SECONDS_A_LINE + 8),
    views,
    likes: Math.round(views * (0.012 + like * 0.05)),
    ageMinutes,
    publishedAt: new Date(publishedMs).toISOString(),
    channel,
    keywords: draw.chance('keywords') < 0.12 ? [] : [...new Set([words.join(' '), ...words, 'explained'])],
    category: draw.pick('category', phrases.categories),
    lines,
    comments: hidesComments ? null : id === 'sandbox0001' ? 0 : commentCount,
    isLive,
  }
}

/** What a list shows of the description. */
export const videoExcerpt = ({ description }: SimulatedVideo): string => description.split('\n')[0] ?? ''

/** Sentences of a talk about the topic, in an order of their own. */
function spokenLines(speaker: ReturnType<typeof speakerAbout>, count: number): string[] {
  const parts = speaker.sayAll('lines', phrases.lines).slice(0, count)
  const opening = speaker.say('opening', phrases.openings)
  const about = speaker.say('about', phrases.descriptions)
  return [opening, about, '[Music]', ...parts, speaker.say('ending', phrases.endings)].flatMap(
    (text) => text.match(/[^.!?]+(?:\.\d[^.!?]*)*[.!?]+|[^.!?]+$/g)?.map((sentence) => sentence.trim()) ?? [],
  )
}

/** A few channels share the videos about a topic. */
function channelAbout({ topic, n }: VideoKey) {
  const draw = drawFrom(`channel ${topic} ${Math.floor(drawFrom(`whose ${topic} ${n}`).chance('channel') * 24)}`)
  const word = topicKnownAs(topic).words.find((one) => /^\p{L}{3,14}$/u.test(one))
  const name =
    word && draw.chance('own') < 0.6
      ? `${headlineCase(word)} ${draw.pick('second', phrases.channelEndings)}`
      : draw.pick('name', phrases.channels)
  return channelNamed(name)
}

function channelNamed(name: string) {
  const draw = drawFrom(`video channel ${name}`)
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, '')
  const own = plain.slice(0, 12)
  const rest = Array.from({ length: 22 - own.length }, (_, i) => draw.int(`sign ${i}`, 0, 35).toString(36))
  const id = `UC${own}${rest.join('')}`
  return { id, name, handle: `/@${plain}`, subscribers: subscribersOf(id) }
}

/** Rounded, as the site rounds it. */
export const subscribersOf = (channelId: string): number =>
  Number((10 ** (2 + drawFrom(`video channel ${channelId}`).chance('subscribers') * 4.2)).toPrecision(3))

/** A search: words, how old the videos may be, and from which country it is made. */
type VideoQuery = { query: string; sinceMs: number; country: string }

/** The ids of the videos that a search finds, best first. */
export function searchVideos({ query, sinceMs, country }: VideoQuery): string[] {
  if (query.includes('sandbox-empty')) return []
  const texts = fittingTexts(topicOf(query), (text) => writeVideoId({ topic: text, n: MAX_FOUND }) !== null)
  const rank = (id: string, { views }: ReturnType<typeof figuresOfVideo>) =>
    Math.log10(views) + chanceOf(`${country} ${id}`)
  return Array.from({ length: MAX_FOUND }, (_, n) => ({ topic: texts[n % texts.length] ?? '', n }))
    .map((key) => ({ id: writeVideoId(key) ?? '', figures: figuresOfVideo(key, '') }))
    .filter(({ id, figures }) => id !== '' && timeOfAge(figures.ageMinutes) >= sinceMs)
    .map(({ id, figures }) => ({ id, rank: rank(id, figures) }))
    .sort((a, b) => b.rank - a.rank)
    .map(({ id }) => id)
}

/** Ids that behave in their own way but otherwise are this video. */
const STAND_INS = ['memb', 'geos', 'bots', 'nocc', 'text', 'null', 'slow'].map((name) => `sandbox${name}`)

/** The video with an id; words of the sandbox that mean no video, and `nosuchvideo`, have none. */
export function findVideo(id: string | undefined): SimulatedVideo | undefined {
  if (id === undefined || !/^[\w-]{11}$/.test(id) || id === 'nosuchvideo') return undefined
  if (STAND_INS.includes(id)) return { ...videoWithId('sandbox0005'), id }
  return id.startsWith('sandbox') && !/^sandbox\d{4}$/.test(id) ? undefined : videoWithId(id)
}

/** `isGone`: its account was removed since. */
export type SimulatedComment = ReturnType<typeof commentAt>

const VOICES = 6

/** The comments of a video from `from` on, at most `count`, best first; the channel's is pinned. */
export function commentsOf(video: SimulatedVideo, from: number, count: number): SimulatedComment[] {
  const last = Math.min(from + count, video.comments ?? 0)
  return Array.from({ length: Math.max(last - from, 0) }, (_, i) => commentAt(video, from + i))
}

function commentAt(video: SimulatedVideo, at: number) {
  const seed = `video comment ${video.topic} ${video.title} ${at}`
  const draw = drawFrom(seed)
  const minutes = String(Math.max(1, Math.round(video.seconds / 60)))
  const voice = drawFrom(`${video.title} voice ${draw.int('voice', 1, VOICES)}`)
  const own = at === 0
  const id = `Ug${draw.int('id', 36 ** 6, 36 ** 7 - 1).toString(36)}${String(at).padStart(4, '0')}4AaABAg`
  return {
    id,
    text: own
      ? `Thanks for watching "${video.title}".`
      : speakerAbout(video.topic, voice, { minutes }).say(`line ${at}`, phrases.comments),
    author: own ? video.channel.handle.slice(1) : `@${personHandle(seed)}`,
    channelId: own ? video.channel.id : `UC${draw.int('a', 36 ** 9, 36 ** 10 - 1).toString(36)}${'viewer000000'}`,
    likes: own ? Math.round(video.likes / 14) : Math.round((video.likes / 6 / (at + 1)) * draw.chance('likes')),
    replies: draw.chance('replies') < 0.25 ? draw.int('reply count', 1, 12) : 0,
    publishedMs: timeOfAge(own ? video.ageMinutes : video.ageMinutes * draw.chance('age')),
    isEdited: draw.chance('edited') < 0.12,
    isGone: !own && draw.chance('gone') < 0.04,
  }
}
