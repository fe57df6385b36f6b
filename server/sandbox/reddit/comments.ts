import { chanceOf, drawFrom } from '../kit/seed'
import { presentFor } from '../kit/time'
import { speakerAbout } from '../social/speaker'
import phrases from './phrases.json'
import { readPostId } from './post-id'
import { makeRedditPost, topicTextOf } from './posts'
import { forumAuthor } from './users'

type Thing = { kind: string; data: Record<string, unknown> }
/** A comment: its place in reading order, how many there are in its branch, itself included. */
type Node = { at: number; size: number; depth: number; parent: string; afterS: number }
type Asked = { limit: number; depth: number; sort: string; comment: string | null }

const DEEPEST = 10
const VOICES = 8
const PEOPLE = 24

export const redditListing = (children: object[], more: object = {}) => ({
  kind: 'Listing',
  data: { modhash: '', dist: null, children, after: null, before: null, ...more },
})

/**
 * https://www.reddit.com/dev/api/#GET_comments_{article}: a tree of at most `limit` comments and `depth` levels; `more`
 * items are what was left out, and `replies` is "" where there is nothing. The tree has as many
 * comments as its post says.
 */
export function commentListing(postId: string, { limit, depth, sort, comment }: Asked) {
  const post = makeRedditPost(readPostId(postId), postId)
  const text = topicTextOf(readPostId(postId))
  const speakers = new Map<number, ReturnType<typeof speakerAbout>>()
  const people = new Map<number, string>()
  const nowS = Math.max(presentFor((Date.now() / 1000 - post.created_utc) / 60) / 1000, post.created_utc)
  const ageDays = (nowS - post.created_utc) / 86_400
  let left = limit

  const roots = branches({
    at: -1,
    size: post.num_comments + 1,
    depth: -1,
    parent: post.name,
    afterS: post.created_utc,
  })
  const focus = comment === null ? undefined : findNode(roots, comment)
  return redditListing(limit === 0 ? [] : level(focus ? [focus] : roots))

  function level(nodes: Node[]): Thing[] {
    const sorted = nodes.map((node) => ({ node, data: dataOf(node) })).sort(bySiblings(sort))
    const things: Thing[] = []
    for (const [i, { node, data }] of sorted.entries()) {
      if (left === 0) return [...things, more(sorted.slice(i).map((s) => s.node))]
      left -= 1
      things.push({ kind: 't1', data: { ...data, replies: repliesTo(node) } })
    }
    return things
  }

  function repliesTo(node: Node): object | string {
    const below = branches(node)
    if (below.length === 0) return ''
    // Ten levels down a branch is only said to go on.
    if (node.depth + 1 >= DEEPEST) return redditListing([goesOn(node)])
    const levels = node.depth - (focus?.depth ?? 0) + 1
    return redditListing(levels >= depth ? [more(below)] : level(below))
  }

  function branches(node: Node): Node[] {
    let [at, rest] = [node.at + 1, node.size - 1]
    const nodes: Node[] = []
    while (rest > 0) {
      const share = chanceOf(`${postId} branch ${at}`)
      const part = node.depth < 0 ? 0.02 + share ** 2 * 0.12 : 0.25 + share * 0.6
      const size = Math.min(Math.max(Math.round(rest * part), 1), rest)
      const afterS = Math.round(node.afterS + (nowS - node.afterS) * Math.min(1, chanceOf(`${postId} time ${at}`) ** 4))
      nodes.push({
        at,
        size,
        depth: node.depth + 1,
        parent: node.depth < 0 ? post.name : `t1_${idOf(node.at)}`,
        afterS,
      })
      at += size
      rest -= size
    }
    return nodes
  }

  function findNode(nodes: Node[], id: string): Node | undefined {
    const at = id.length === 7 && id.startsWith(prefixOf(postId)) ? Number.parseInt(id.slice(5), 36) : Number.NaN
    const within = nodes.find((node) => at >= node.at && at < node.at + node.size)
    return !within || within.at === at ? within : findNode(branches(within), id)
  }

  function idOf(at: number): string {
    return `${prefixOf(postId)}${at.toString(36).padStart(2, '0')}`
  }

  function more(nodes: Node[]): Thing {
    const [first] = nodes
    const id = idOf(first?.at ?? 0)
    const count = nodes.reduce((sum, { size }) => sum + size, 0)
    const children = nodes.map(({ at }) => idOf(at))
    return {
      kind: 'more',
      data: { count, name: `t1_${id}`, id, parent_id: first?.parent, depth: first?.depth, children },
    }
  }

  function goesOn({ at, depth: level }: Node): Thing {
    const data = { count: 0, name: 't1__', id: '_', parent_id: `t1_${idOf(at)}`, depth: level + 1, children: [] }
    return { kind: 'more', data }
  }

  function dataOf({ at, depth: level, parent, afterS }: Node) {
    const id = idOf(at)
    const draw = drawFrom(`${postId} comment ${at}`)
    const isDeleted = draw.chance('deleted') < 0.04
    const isSubmitter = !isDeleted && level > 0 && post.author !== '[deleted]' && draw.chance('submitter') < 0.12
    const voice = draw.int('voice', 0, VOICES - 1)
    const speaker = speakers.get(voice) ?? speakerAbout(text, drawFrom(`${postId} voice ${voice}`))
    speakers.set(voice, speaker)
    const who = draw.int('who', 0, PEOPLE - 1)
    const author = people.get(who) ?? forumAuthor(`${postId} person ${who}`, ageDays)
    people.set(who, author)
    const isFresh = nowS - afterS < 1800
    return {
      id,
      name: `t1_${id}`,
      link_id: post.name,
      parent_id: parent,
      author: isDeleted ? '[deleted]' : isSubmitter ? post.author : author,
      body: isDeleted
        ? '[deleted]'
        : speaker.say(`line ${at}`, level > 0 && draw.chance('short') < 0.7 ? phrases.replies : phrases.comments),
      score: Math.round((post.score * 0.7 * draw.chance('score') ** 4) / (level + 1)) + draw.int('votes', -3, 9),
      score_hidden: isFresh || draw.chance('hidden') < 0.03,
      created_utc: afterS,
      edited: draw.chance('edited') < 0.07 ? Math.min(afterS + 300, nowS) : false,
      permalink: `${post.permalink}${id}/`,
      is_submitter: isSubmitter,
      stickied: false,
      distinguished: draw.chance('moderator') < 0.01 ? 'moderator' : null,
      depth: level,
    }
  }
}

type Sibling = { data: { score: number; created_utc: number; is_submitter: boolean } }

/** Deleted ones are where their votes put them. */
function bySiblings(sort: string): (a: Sibling, b: Sibling) => number {
  const score = (a: Sibling, b: Sibling) => b.data.score - a.data.score
  if (sort === 'new') return (a, b) => b.data.created_utc - a.data.created_utc
  if (sort === 'old') return (a, b) => a.data.created_utc - b.data.created_utc
  if (sort === 'controversial') return (a, b) => Math.abs(a.data.score) - Math.abs(b.data.score)
  if (sort === 'qa') return (a, b) => Number(b.data.is_submitter) - Number(a.data.is_submitter) || score(a, b)
  return score
}

const prefixOf = (postId: string): string =>
  Math.floor(36 ** 4 + chanceOf(`comments of ${postId}`) * (36 ** 5 - 36 ** 4)).toString(36)
