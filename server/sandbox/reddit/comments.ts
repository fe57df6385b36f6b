import { knownIds, makeRedditPost } from './posts'

type Thing = { kind: string; data: Record<string, unknown> }

const LINES = [
  'Agreed.',
  'Where did you read that?',
  'We tried this & it held.',
  'Photos, please!',
  'Not in my harbour.',
]
const TOP_LEVEL = 14
const DEEPEST = 12
const CREATED_S = 1_767_230_000

const listing = (children: Thing[]) => ({
  kind: 'Listing',
  data: { modhash: '', dist: null, children, after: null, before: null },
})

/** How many answers the comment at this place has: a few branches, one of them very deep. */
const answersTo = (place: number[]): number =>
  place.length >= DEEPEST ? 0 : place.every((n) => n === 0) ? 1 : place.length < 3 ? (place.at(-1) ?? 0) % 3 : 0

const idOf = (postId: string, place: number[]) => `${postId.slice(-4)}c${place.map((n) => n.toString(36)).join('')}`

/**
 * https://www.reddit.com/dev/api/#GET_comments_{article}: a tree of at most `limit` comments and `depth` levels; `more`
 * items stand for what was left out, and `replies` is "" where there is nothing.
 */
export function commentListing(postId: string, limit: number, depth: number) {
  let left = limit
  return listing(limit === 0 ? [] : level([], TOP_LEVEL, `t3_${postId}`))

  function level(place: number[], count: number, parent: string): Thing[] {
    const things: Thing[] = []
    for (let i = 0; i < count; i++) {
      const here = [...place, i]
      const id = idOf(postId, here)
      if (left === 0) return [...things, more(parent, place.length, id, count - i)]
      left -= 1
      things.push({ kind: 't1', data: comment(postId, here, parent, repliesTo(here, id)) })
    }
    return things
  }

  function repliesTo(here: number[], id: string): object | string {
    const count = answersTo(here)
    if (count === 0) return ''
    // Ten levels down a branch is only said to go on.
    if (here.length === 10) return listing([more(`t1_${id}`, here.length, '_', 0)])
    if (here.length >= depth) return listing([more(`t1_${id}`, here.length, idOf(postId, [...here, 0]), count)])
    return listing(level(here, count, `t1_${id}`))
  }
}

const more = (parent_id: string, depth: number, id: string, count: number): Thing => ({
  kind: 'more',
  data: { count, name: `t1_${id}`, id, parent_id, depth, children: count === 0 ? [] : [id] },
})

function comment(postId: string, place: number[], parent_id: string, replies: object | string) {
  const id = idOf(postId, place)
  const n = place.reduce((sum, i) => sum * 3 + i, place.length)
  const isDeleted = n % 8 === 6
  return {
    id,
    name: `t1_${id}`,
    link_id: `t3_${postId}`,
    parent_id,
    author: isDeleted ? '[deleted]' : n % 5 === 0 ? makeRedditPost(postId).author : `sandbox_user_${n % 9}`,
    body: isDeleted ? '[deleted]' : (LINES[n % LINES.length] ?? ''),
    score: 50 - n,
    score_hidden: n % 9 === 4,
    created_utc: CREATED_S + n * 60,
    edited: n % 6 === 1 ? CREATED_S + n * 60 + 30 : false,
    permalink: `/r/${makeRedditPost(postId).subreddit}/comments/${postId}/_/${id}/`,
    is_submitter: n % 5 === 0,
    stickied: false,
    distinguished: place.length === 1 && place[0] === 0 ? 'moderator' : null,
    depth: place.length - 1,
    replies,
  }
}

/** The post that share links of the sandbox lead to. */
export const sharedPost = knownIds[4] ?? ''
