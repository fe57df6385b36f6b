import { chancesOf, drawFrom } from '../kit/seed'
import { fillTemplate } from '../kit/template'
import { isoTime, timeOfAge } from '../kit/time'
import { pagePath } from '../pages/address'
import { outletOf } from '../prose/names'
import { personHandle, posterAbout } from '../social/handles'
import { speakerAbout, topicKnownAs } from '../social/speaker'
import { escapeX, subjectsOfAccount, xFiguresOf } from './accounts'
import phrases from './phrases.json'
import { MAX_REPLIES, writeXPostId, writeXUserId, type XPostKey } from './post-id'
import shapes from './shapes.json'

/** What posts are found and sorted by. */
export type XPostFigures = ReturnType<typeof figuresOfXPost>

/** Searches reach back a week. */
const OLDEST_MINUTES = 6 * 1440 - 10

const seedOfXPost = ({ handle, topic, lang, n, reply }: XPostKey): string =>
  `x post ${handle.toLowerCase()}|${topic}|${lang}|${n}|${reply}`

const rootOf = (key: XPostKey): XPostKey => ({ ...key, reply: 0 })

/** The figures of a post that is not a reply. */
export function figuresOfXPost(key: XPostKey) {
  const seed = seedOfXPost(rootOf(key))
  const [when = 0, heat = 0, link = 0, media = 0, tag = 0, mention = 0, ...more] = chancesOf(seed)
  const [quote = 0, long = 0, share = 0, talk = 0, what = 0] = more
  const subjects = key.topic ? [key.topic] : subjectsOfAccount(key.handle)
  const topic = subjects[Math.floor(what * subjects.length)] ?? key.topic
  const author = key.handle || posterAbout(topicKnownAs(topic).words, seed)
  const { followers, kind, hoursBetween } = xFiguresOf(author)
  // An account's own posts follow each other; what a search finds is of a week.
  const age = key.topic ? 4 + when ** 1.4 * OLDEST_MINUTES : (key.n + 0.2 + when * 0.7) * hoursBetween * 60
  const isRepost = !key.topic && quote < 0.12
  const likes = isRepost ? 0 : Math.round((1 + followers ** 0.52) * 10 ** (heat ** 2 * 1.7 - 0.5))
  return {
    author,
    topic,
    ageMinutes: age,
    createdMs: timeOfAge(age),
    likes,
    reposts: Math.round(likes * (0.05 + share * 0.25)),
    replies: isRepost ? 0 : Math.min(Math.round(likes ** 0.55 * (0.3 + talk)), MAX_REPLIES),
    hasLink: !isRepost && link < 0.35,
    media: isRepost || media > 0.36 ? null : media < 0.24 ? ('photo' as const) : ('video' as const),
    hasTag: !isRepost && tag < 0.4,
    hasMention: !isRepost && mention < 0.12,
    isQuote: !isRepost && quote > 0.94,
    isRepost,
    isLong: !isRepost && long < 0.08,
    isVerified: kind !== 'none',
  }
}

/** The author of some replies: an account that is suspended. */
export const GONE_USER_ID = '2099999999999999999'

type Reference = { type: 'retweeted' | 'quoted' | 'replied_to'; id: string; key: XPostKey }
type XPostData = Record<string, unknown> & {
  id: string
  text: string
  author_id: string
  created_at: string
  public_metrics: Record<string, number>
  referenced_tweets?: Reference[]
  attachments?: { media_keys: string[] }
}
/** A post as `data`, and the name of its author. */
export type XPost = { key: XPostKey; author: string; data: XPostData }

const idOf = (key: XPostKey): string => writeXPostId(key) ?? '0'

/** Any post; `id` where it was asked for by one. */
export const makeXPost = (key: XPostKey, id = idOf(key)): XPost =>
  key.reply > 0 ? makeReply(key, id) : makeOwnPost(key, id)

function makeOwnPost(key: XPostKey, id: string): XPost {
  const figures = figuresOfXPost(key)
  const draw = drawFrom(seedOfXPost(key))
  const speaker = speakerAbout(figures.topic, draw)
  const short = `https://t.co/${Math.floor(draw.chance('link') * 62 ** 5 + 62 ** 5).toString(36)}`
  const said = speaker.say('text', phrases.posts[key.lang])
  const tag = tagOf(figures.topic)
  const mention = figures.hasMention && `via @${personHandle(`mentioned ${id}`)}`
  const whole = [said, mention, figures.hasTag && `#${tag}`, figures.hasLink && short].filter(Boolean).join(' ')
  const other = figures.isRepost || figures.isQuote ? someOther(key, figures) : undefined
  const type = figures.isRepost ? ('retweeted' as const) : ('quoted' as const)
  const text =
    figures.isRepost && other ? `RT @${other.author}: ${other.data.text.slice(0, 60).trim()}…` : escapeX(whole)
  const host = outletOf(`${figures.topic} ${key.n}`).host
  // A page of the sandbox, without the origin.
  const expanded_url = pagePath({ host, kind: 'news', text: figures.topic })
  const counts = figures.isRepost && other ? other.data.public_metrics : undefined
  const data = fillTemplate<XPostData>(shapes.post, {
    id,
    text,
    lang: key.lang,
    conversation: id,
    created: isoTime(figures.createdMs),
    author: writeXUserId(figures.author) ?? GONE_USER_ID,
    entities: {
      ...(figures.hasLink && { urls: [{ start: 0, end: 1, url: short, expanded_url }] }),
      ...(figures.hasTag && { hashtags: [{ start: 0, end: 1, tag }] }),
    },
    metrics: {
      ...metricsOf(figures, draw.chance('views')),
      ...(counts && { retweet_count: counts.retweet_count ?? 0 }),
    },
    note: figures.isLong ? { text: `${text}\n\n${escapeX(speaker.say('long', phrases.longer))}` } : undefined,
    references: other && [{ type, id: other.data.id, key: other.key }],
    attachments: figures.media ? { media_keys: [`${figures.media === 'photo' ? 3 : 7}_${id}`] } : undefined,
  })
  return { key, author: figures.author, data }
}

const metricsOf = ({ likes, reposts, replies }: XPostFigures, chance: number) =>
  fillTemplate<Record<string, number>>(shapes.metrics, {
    likes,
    reposts,
    replies,
    quotes: Math.round(reposts / 6),
    bookmarks: Math.round(likes / 9),
    views: Math.round((likes + 3) * (18 + chance * 60)),
  })

/** A post of somebody else about the same: what is reposted or quoted. */
function someOther(key: XPostKey, { topic, author }: XPostFigures): XPost | undefined {
  const n = drawFrom(seedOfXPost(key)).int('other', 0, 40)
  const numbers = [n, n + 1, n + 2]
  const keys = numbers.map((at) => ({ handle: '', topic: topic.toLowerCase(), lang: 'en' as const, n: at, reply: 0 }))
  const found = keys.find((one) => {
    const figures = figuresOfXPost(one)
    return writeXPostId(one) !== null && figures.author !== author && !figures.isQuote && !figures.isLong
  })
  return found && makeOwnPost(found, idOf(found))
}

/** `#NightTrains`. */
export const tagOf = (topic: string): string =>
  topicKnownAs(topic)
    .words.slice(0, 2)
    .map((word) => word.replace(/[^\p{L}\p{N}]/gu, ''))
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('')

/** What a reply answers: the post, or the reply before it. */
const parentOf = (key: XPostKey): XPostKey => ({ ...key, reply: key.reply % 4 === 3 ? key.reply - 1 : 0 })

/** An answer to a post: every fourth answers the one before it; some accounts are gone since. */
function makeReply(key: XPostKey, id: string): XPost {
  const root = figuresOfXPost(key)
  const draw = drawFrom(seedOfXPost(key))
  const [parent, count] = [parentOf(key), Math.max(root.replies, key.reply)]
  const author = replierOf(key)
  const isGone = key.reply === count && count >= 8 && drawFrom(seedOfXPost(rootOf(key))).chance('gone') < 0.4
  const target = parent.reply === 0 ? root.author : replierOf(parent)
  const ageMinutes = root.ageMinutes * (1 - key.reply / (count + 1))
  const hasAnswer = key.reply % 4 === 2 && key.reply < root.replies
  const likes = Math.round(root.likes ** 0.7 * draw.chance('likes') ** 3)
  const said = speakerAbout(root.topic, draw).say('reply', phrases.replies)
  const counts = { ...root, likes, reposts: Math.round(likes / 20), replies: Number(hasAnswer) }
  const data = fillTemplate<XPostData>(shapes.post, {
    id,
    text: escapeX(`@${target} ${said}`),
    lang: 'en',
    conversation: idOf(rootOf(key)),
    created: isoTime(timeOfAge(ageMinutes)),
    author: isGone ? GONE_USER_ID : (writeXUserId(author) ?? GONE_USER_ID),
    target: writeXUserId(target) ?? GONE_USER_ID,
    metrics: metricsOf(counts, 0.2),
    references: [{ type: 'replied_to', id: idOf(parent), key: parent }],
  })
  return { key, author: isGone ? '' : author, data }
}

const replierOf = (key: XPostKey): string => personHandle(`replier ${seedOfXPost(key)}`)

/** The replies to a post, or to one of its replies, newest first. */
export function repliesTo(key: XPostKey): XPostKey[] {
  const { replies } = figuresOfXPost(key)
  const numbers = Array.from({ length: replies }, (_, i) => replies - i)
  const all = numbers.map((reply) => ({ ...key, reply }))
  return key.reply === 0 ? all : all.filter((one) => parentOf(one).reply === key.reply)
}
