import { drawFrom, times } from '../kit/seed'
import { topicOf } from '../prose/topic'
import { plainWord } from '../prose/words'
import { anySubject } from '../social/communities'
import { fittingTexts } from '../social/speaker'
import { LANGS, readXPostId, writeXPostId, type XLang, type XPostKey } from './post-id'
import { figuresOfXPost, makeXPost, repliesTo, tagOf, type XPostFigures } from './posts'

/** One word or operator of a query; `not` with a minus before it. */
type XTerm = { name: string; value: string; not: boolean }

/** Alternatives, each of terms that all must hold. */
type XQuery = XTerm[][]

const MAX_ALTERNATIVES = 12
const OPERATOR =
  /^(from|to|lang|has|is|conversation_id|in_reply_to_tweet_id|min_faves|min_likes|min_retweets|min_reposts|min_replies|url):(.+)$/i

/**
 * Reads a query: words, "phrases", #tags, @names, operators, groups in brackets and OR, which binds
 * weaker than what stands beside each other.
 * https://docs.x.com/x-api/posts/search/integrate/build-a-query
 */
function readXQuery(text: string): XQuery {
  const tokens = text.match(/-?\(|\)|-?"[^"]*"|[^\s()]+/g) ?? []
  let at = 0
  return either()

  function either(): XQuery {
    const found = [...all()]
    while (tokens[at] === 'OR') {
      at += 1
      found.push(...all())
    }
    return found.slice(0, MAX_ALTERNATIVES)
  }

  function all(): XQuery {
    let found: XQuery = [[]]
    for (let token = tokens[at]; token !== undefined && token !== ')' && token !== 'OR'; token = tokens[at]) {
      at += 1
      if (token === 'AND') continue
      const next = token.endsWith('(') && token.length <= 2 ? group(token.startsWith('-')) : [[termOf(token)]]
      found = found.flatMap((left) => next.map((right) => [...left, ...right])).slice(0, MAX_ALTERNATIVES)
    }
    return found
  }

  function group(not: boolean): XQuery {
    const found = either()
    at += 1
    return not ? [found.flat().map((term) => ({ ...term, not: !term.not }))] : found
  }
}

function termOf(token: string): XTerm {
  const not = token.startsWith('-') && token.length > 1
  const word = not ? token.slice(1) : token
  const [, name, value] = OPERATOR.exec(word) ?? []
  if (name !== undefined && value !== undefined)
    return { name: name.toLowerCase(), value: value.replace(/^@/, ''), not }
  if (word.startsWith('#') || word.startsWith('$')) return { name: 'tag', value: word.slice(1), not }
  return { name: 'word', value: word.replaceAll('"', '').replace(/^@/, ''), not }
}

const MAX_FOUND = 120
const MAX_TIMELINE = 60

const fits = (key: Omit<XPostKey, 'n'>, n: number) => writeXPostId({ ...key, n }) !== null

/** The posts of an account, newest first. A name that is very long leaves ids for a few only. */
export function xTimelineOf(handle: string): XPostKey[] {
  const key = { handle: handle.toLowerCase(), topic: '', lang: 'en' as const, reply: 0 }
  return times(MAX_TIMELINE, (n) => ({ ...key, n })).filter((one) => fits(one, one.n))
}

/** What a query finds, newest first or, by relevance, what is liked most. */
export function searchXPosts(text: string, order: 'recency' | 'relevancy'): XPostKey[] {
  const found = readXQuery(text).flatMap((terms) => foundBy(terms))
  const unique = [...new Map(found.map((one) => [writeXPostId(one.key), one])).values()]
  const rank = ({ figures }: Found) => (order === 'relevancy' ? figures.likes : figures.createdMs)
  return unique.sort((a, b) => rank(b) - rank(a)).map(({ key }) => key)
}

type Found = { key: XPostKey; figures: XPostFigures }

function foundBy(terms: XTerm[]): Found[] {
  const value = (name: string) => terms.find((term) => term.name === name && !term.not)?.value
  const conversation = value('conversation_id') ?? value('in_reply_to_tweet_id')
  if (conversation !== undefined) return conversationOf(conversation, value('conversation_id') === undefined)
  const from = value('from')
  const words = terms.filter(({ name, not }) => !not && ['word', 'tag', 'to', 'url'].includes(name))
  const asked = words.map((term) => (term.name === 'word' ? term.value : splitTag(term.value))).join(' ')
  const lang = value('lang')?.toLowerCase()
  const isReply = terms.some((term) => term.name === 'is' && term.value === 'reply' && !term.not)
  const roots = from === undefined ? keysAbout(asked, lang) : keysFrom(from, asked)
  const keys = isReply ? roots.slice(0, 40).flatMap((key) => repliesTo(key).slice(0, 2)) : roots
  return keys
    .map((key) => ({ key, figures: figuresShown(key) }))
    .filter((found) => terms.every((term) => holds(term, found) !== term.not))
}

/** Of a reply, its own likes and time. */
function figuresShown(key: XPostKey): XPostFigures {
  const figures = figuresOfXPost(key)
  if (key.reply === 0) return figures
  const { author, data } = makeXPost(key)
  const none = { hasLink: false, media: null, hasTag: false, isQuote: false, isRepost: false, isLong: false }
  const likes = data.public_metrics.like_count ?? 0
  return { ...figures, ...none, author, likes, createdMs: Date.parse(data.created_at) }
}

function conversationOf(id: string, isDirect: boolean): Found[] {
  const key = readXPostId(id)
  // A conversation has the id of its first post.
  if (key.reply > 0 && !isDirect) return []
  return repliesTo(key).map((reply) => ({ key: reply, figures: figuresShown(reply) }))
}

/** `#NightTrains` as words. */
const splitTag = (tag: string): string => tag.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')

const isKnownLang = (lang: string): lang is XLang => LANGS.some((one) => one.lang === lang)

/** Posts of all kinds of accounts about something, most of them in English unless asked. */
function keysAbout(asked: string, lang: string | undefined): XPostKey[] {
  if (lang !== undefined && !isKnownLang(lang)) return []
  const langOf = (n: number): XLang =>
    lang ?? (n % 4 < 3 ? 'en' : drawFrom(`lang ${asked} ${n}`).pick('lang', LANGS).lang)
  const key = (topic: string, n: number) => ({ handle: '', topic, lang: langOf(n), n, reply: 0 })
  if (asked.trim() === '') return times(MAX_FOUND, (n) => key(anySubject(`any ${n}`), n))
  const texts = fittingTexts(topicOf(asked), (topic) => fits({ handle: '', topic, lang: 'es', reply: 0 }, 60))
  const max = texts.every((topic) => fits({ handle: '', topic, lang: 'es', reply: 0 }, MAX_FOUND)) ? MAX_FOUND : 60
  return times(max, (n) => key(texts[n % texts.length] ?? '', n))
}

/** Posts of one account; about something, if it was asked for and an id holds both. */
function keysFrom(from: string, asked: string): XPostKey[] {
  const handle = from.toLowerCase()
  if (asked.trim() === '') return xTimelineOf(handle)
  const both = { handle, lang: 'en' as const, reply: 0 }
  const [topic = ''] = fittingTexts(topicOf(asked), (text) => fits({ ...both, topic: text }, 20))
  if (topic) return times(20, (n) => ({ ...both, topic, n }))
  return xTimelineOf(handle).filter((key) => plainWord(makeXPost(key).data.text).includes(plainWord(asked)))
}

function holds({ name, value, not }: XTerm, { key, figures }: Found): boolean {
  const word = value.toLowerCase()
  if (name === 'from') return figures.author.toLowerCase() === word
  if (name === 'lang') return key.lang === word
  if (name === 'has') return HAS[word]?.(figures) ?? false
  if (name === 'is') return IS[word]?.(figures, key) ?? false
  if (name.startsWith('min_')) return (MINIMUM[name]?.(figures) ?? 0) >= Number(value)
  if (name === 'tag') return figures.hasTag && tagOf(figures.topic).toLowerCase().includes(word)
  // What was asked for is in what was made; what must not be there is looked for.
  return not ? plainWord(makeXPost(key).data.text).includes(plainWord(value)) : true
}

const HAS: Record<string, (figures: XPostFigures) => boolean> = {
  links: ({ hasLink }) => hasLink,
  media: ({ media }) => media !== null,
  images: ({ media }) => media === 'photo',
  videos: ({ media }) => media === 'video',
  video_link: ({ media }) => media === 'video',
  hashtags: ({ hasTag }) => hasTag,
  mentions: ({ hasMention }) => hasMention,
}
const IS: Record<string, (figures: XPostFigures, key: XPostKey) => boolean> = {
  reply: (_, { reply }) => reply > 0,
  retweet: ({ isRepost }) => isRepost,
  quote: ({ isQuote }) => isQuote,
  verified: ({ isVerified }) => isVerified,
}
const MINIMUM: Record<string, (figures: XPostFigures) => number> = {
  min_faves: ({ likes }) => likes,
  min_likes: ({ likes }) => likes,
  min_retweets: ({ reposts }) => reposts,
  min_reposts: ({ reposts }) => reposts,
  min_replies: ({ replies }) => replies,
}
