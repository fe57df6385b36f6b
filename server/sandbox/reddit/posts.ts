import { LRUCache } from 'lru-cache'
import { type Draw, drawFrom } from '../kit/seed'
import { fillTemplate } from '../kit/template'
import { ageOf, DAY_MS, timeOfAge } from '../kit/time'
import { pagePath } from '../pages/address'
import { outletOf } from '../prose/names'
import { anySubject, type Community, communitiesAbout, communityFor, communityNamed } from '../social/communities'
import { speakerAbout, topicKnownAs } from '../social/speaker'
import phrases from './phrases.json'
import { type PostKey, writePostId } from './post-id'
import shapes from './shapes.json'
import { forumAuthor } from './users'

const OLDEST_MINUTES = 5 * 365 * 1440
const MAX_COMMENTS = 400

/** What lists are sorted and cut by. */
export type PostFigures = { createdMs: number; score: number; ratio: number; comments: number }

const seedOf = ({ community, topic, domain, n }: PostKey): string =>
  `forum post ${community.toLowerCase()}|${topic}|${domain}|${n}`

export function figuresOf(key: PostKey): PostFigures {
  const draw = drawFrom(seedOf(key))
  const age = ageOf(draw.chance('age'), 12, OLDEST_MINUTES)
  // Votes come within a day or so.
  const score = Math.round(10 ** (0.5 + draw.chance('heat') ** 1.8 * 3.3) * Math.min(1, age / 900) ** 0.6)
  const isDisputed = draw.chance('disputed') < 0.1
  return {
    createdMs: timeOfAge(age),
    score: isDisputed ? Math.round(score / 6) : score,
    ratio:
      Math.round(100 * (isDisputed ? 0.52 + draw.chance('ratio') * 0.14 : 0.8 + draw.chance('ratio') * 0.19)) / 100,
    comments: Math.min(Math.round(score ** 0.66 * (0.3 + draw.chance('talk') * 0.9)), MAX_COMMENTS),
  }
}

/** A post in the provider's field names, as in a listing's `data`. */
export function makeRedditPost(key: PostKey, id = writePostId(key) ?? '') {
  const draw = drawFrom(seedOf(key))
  const { createdMs, score, ratio, comments } = figuresOf(key)
  const text = subjectOf(key, draw)
  const home = homeOf(key, text, draw)
  const speaker = speakerAbout(text, draw)
  const form = key.domain ? 'link' : formOf(draw.chance('form'))
  const title = speaker.say('title', phrases.titles[form])
  const isSelf = form === 'question' || form === 'story'
  const isDeleted = draw.chance('deleted') < 0.05
  const isRemoved = !isDeleted && draw.chance('removed') < 0.03
  const permalink = `/r/${home.name}/comments/${id}/${slugOf(title)}/`
  const image = `https://i.redd.it/${id}.jpg`
  const host = key.domain || (form === 'link' ? outletOf(seedOf(key)).host : 'i.redd.it')
  const created = Math.floor(createdMs / 1000)
  const body = form === 'question' ? phrases.questionBodies : phrases.storyBodies
  const written = [speaker.say('body', body), draw.pick('closing', phrases.closings)].filter(Boolean).join('\n\n')
  const post = fillTemplate<RedditPost>(shapes.post, {
    id,
    title,
    home: home.name,
    isSelf,
    permalink,
    score,
    ratio,
    comments,
    created,
    author: isDeleted ? '[deleted]' : forumAuthor(seedOf(key), (Date.now() - createdMs) / DAY_MS),
    selftext: !isSelf ? '' : isDeleted ? '[deleted]' : isRemoved ? '[removed]' : written,
    domain: isSelf ? `self.${home.name}` : host,
    url: isSelf ? `https://www.reddit.com${permalink}` : form === 'image' ? image : linkTo(host, text),
    createdLocal: created + 28_800,
    edited: isSelf && draw.chance('edited') < 0.2 ? created + 600 : false,
    flair: draw.chance('flair') < 0.5 ? draw.pick('which flair', phrases.flairs) : null,
    spoiler: draw.chance('spoiler') < 0.02,
    locked: draw.chance('locked') < 0.03,
    isPinned: isPinned(key),
    thumbnail: isSelf ? 'self' : `https://b.thumbs.redditmedia.com/${id}.jpg`,
    removedBy: isRemoved ? 'moderator' : undefined,
  })
  const crosspost = { id: writePostId({ ...key, n: key.n + 1 }), subreddit: home.name, title }
  return {
    ...post,
    ...(form === 'image' && gallery(id)),
    ...(draw.chance('crosspost') < 0.04 && { crosspost_parent_list: [crosspost] }),
  }
}

/** What is read of a post besides being sent. */
type RedditPost = {
  [text in 'id' | 'name' | 'title' | 'author' | 'url' | 'permalink' | 'selftext' | 'subreddit']: string
} & { [count in 'score' | 'num_comments' | 'created_utc']: number } & {
  is_self: boolean
  stickied: boolean
  link_flair_text: string | null
}

/** The first two of every community. */
const isPinned = ({ community, topic, n }: PostKey): boolean => community !== '' && topic === '' && n < 2

function subjectOf({ community, topic, domain, n }: PostKey, draw: Draw): string {
  if (topic) return topic
  if (domain || !community) return anySubject(`${domain} ${n}`)
  return draw.pick('subject', communityNamed(community).subjects)
}

/** What a post is about, from its key alone. */
export const topicTextOf = (key: PostKey): string => subjectOf(key, drawFrom(seedOf(key)))

const fitting = new LRUCache<string, Community[]>({
  max: 100,
  memoMethod: (text) => communitiesAbout(topicKnownAs(text).words),
})

const homeOf = ({ community }: PostKey, text: string, draw: Draw): Community =>
  community ? communityNamed(community) : communityFor(topicKnownAs(text).words, fitting.memo(text), draw)

type Form = 'question' | 'story' | 'link' | 'image'
const formOf = (chance: number): Form =>
  chance < 0.42 ? 'question' : chance < 0.72 ? 'story' : chance < 0.92 ? 'link' : 'image'

const slugOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .slice(0, 48)
    .replace(/^_|_$/g, '')

/** A page of the sandbox about the same; `withOrigin` makes it an address. */
const linkTo = (host: string, text: string): string => pagePath({ host, kind: 'news', text })

/** The post with a whole address of what it links to. */
export const withOrigin = <T extends { url: string }>(post: T, origin: string): T =>
  post.url.startsWith('/') ? { ...post, url: `${origin}${post.url}` } : post

const gallery = (id: string) => ({
  ...fillTemplate(shapes.gallery, { id }),
  media_metadata: { [`${id}m`]: fillTemplate(shapes.image, { id }) },
})
