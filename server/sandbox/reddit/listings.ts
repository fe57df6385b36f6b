import { drawFrom } from '../kit/seed'
import { DAY_MS, HOUR_MS } from '../kit/time'
import { topicOf } from '../prose/topic'
import { plainWord } from '../prose/words'
import { fittingTexts } from '../social/speaker'
import { type PostKey, writePostId } from './post-id'
import { figuresOf, makeRedditPost, type PostFigures, topicTextOf } from './posts'

/** A post of a list that is not made yet. */
type Candidate = { key: PostKey; figures: PostFigures; hits: number }

const SPANS_MS: Record<string, number> = {
  hour: HOUR_MS,
  day: DAY_MS,
  week: 7 * DAY_MS,
  month: 30 * DAY_MS,
  year: 365 * DAY_MS,
}

const MAX_POSTS = [240, 120, 60]
const fitsWith = (key: Omit<PostKey, 'n'>, n: number) => writePostId({ ...key, n }) !== null

/** The keys of `count` posts, or of as many as have ids: what takes much of an id leaves little. */
function keysOf(key: Omit<PostKey, 'n'>, count: number): PostKey[] {
  const max = MAX_POSTS.find((n) => fitsWith(key, n)) ?? 0
  return Array.from({ length: Math.min(count, max) }, (_, n) => ({ ...key, n }))
}

const candidate = (key: PostKey, words: readonly string[] = []): Candidate => {
  const text = plainWord(words.length > 0 ? topicTextOf(key) : '')
  return { key, figures: figuresOf(key), hits: words.filter((word) => text.includes(plainWord(word))).length }
}

/** Posts about a query, anywhere or in one community. */
export function searchCandidates(asked: string, community: string): Candidate[] {
  const text = asked.replace(/\b(?:title|selftext|flair|flair_name|author|nsfw|self|subreddit|site|url):\S+/gi, ' ')
  const topic = topicOf(text)
  const within = (words: string) => ({ community, topic: words, domain: '' })
  const texts = fittingTexts(topic, (words) => fitsWith(within(words), 120))
  const isSelf = /\bself:(yes|true|1)\b/i.test(asked)
  const size = community ? 1 : 2
  const count = drawFrom(`forum results ${community} ${topic.key}`).int('count', 45 * size, 110 * size)
  return texts
    .flatMap((words, at) => keysOf(within(words), count).filter(({ n }) => n % texts.length === at))
    .filter((key) => !isSelf || makeRedditPost(key).is_self)
    .map((key) => candidate(key, topic.words))
}

/** Posts of a community; none where its name is longer than ids can hold. */
export function communityCandidates(community: string): Candidate[] {
  const key = { community, topic: '', domain: '' }
  const count = drawFrom(`forum community ${community.toLowerCase()}`).int('count', 130, 240)
  return keysOf(key, count).map((one) => candidate(one))
}

/** Posts that link to a domain; `self.bread` are the texts of a community. */
export function domainCandidates(domain: string): Candidate[] {
  const community = /^self\.(\w+)$/.exec(domain)?.[1]
  if (community) return communityCandidates(community).filter(({ key }) => makeRedditPost(key).is_self)
  const key = { community: '', topic: '', domain: domain.replace(/^www\./, '') }
  const count = drawFrom(`forum domain ${key.domain}`).int('count', 12, 120)
  return keysOf(key, count).map((one) => candidate(one))
}

const heat = ({ score, createdMs }: PostFigures) => Math.log10(Math.max(score, 1)) + createdMs / 1000 / 45_000
const dispute = ({ score, ratio, comments }: PostFigures) => (score + comments) ** (1 / (2 * ratio))
const rise = ({ score, createdMs }: PostFigures) => score / ((Date.now() - createdMs) / HOUR_MS + 2) ** 1.4

/** Numbers to sort by, greatest first, of every order. */
const ORDERS: Record<string, (of: Candidate) => number> = {
  relevance: ({ hits, figures }) => hits * 4 + heat(figures) / 400 + Math.log10(Math.max(figures.score, 1)) / 4,
  hot: ({ figures }) => heat(figures),
  top: ({ figures }) => figures.score,
  new: ({ figures }) => figures.createdMs,
  comments: ({ figures }) => figures.comments,
  rising: ({ figures }) => rise(figures),
  controversial: ({ figures }) => dispute(figures),
}

/** Sorted as asked, and no older than the time span asked for. */
export function inOrder(found: Candidate[], order: string, span: string | null, nowMs = Date.now()): PostKey[] {
  const by = ORDERS[order] ?? ORDERS.hot
  const oldest = nowMs - (SPANS_MS[span ?? ''] ?? Number.POSITIVE_INFINITY)
  if (!by) return []
  return found
    .filter(({ figures }) => figures.createdMs >= oldest)
    .map((one) => ({ key: one.key, rank: by(one) }))
    .sort((a, b) => b.rank - a.rank || a.key.n - b.key.n)
    .map(({ key }) => key)
}
