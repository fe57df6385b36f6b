import { LRUCache } from 'lru-cache'
import { chanceOf, drawFrom } from '../kit/seed'
import { fillTemplate } from '../kit/template'
import { presentFor } from '../kit/time'
import { speakerAbout } from '../social/speaker'
import phrases from './phrases.json'
import { readPostId } from './post-id'
import { makeRedditPost, topicTextOf } from './posts'
import shapes from './shapes.json'
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
  const nowS = Math.max(presentFor((Date.now() / 1000 - post.created_utc) / 60) / 1000, post.created_utc)
  const ageDays = (nowS - post.created_utc) / 86_400
  const speakers = remember((voice) => speakerAbout(text, drawFrom(`${postId} voice ${voice}`)))
  const people = remember((who) => forumAuthor(`${postId} person ${who}`, ageDays))
  let left = limit

  const root = { at: -1, size: post.num_comments + 1, depth: -1, parent: post.name, afterS: post.created_utc }
  const roots = branches(root)
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
      const parent = node.depth < 0 ? post.name : `t1_${idOf(node.at)}`
      nodes.push({ at, size, depth: node.depth + 1, parent, afterS })
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
    const count = nodes.reduce((sum, { size }) => sum + size, 0)
    const children = nodes.map(({ at }) => idOf(at))
    return fillTemplate(shapes.more, { ...first, id: children[0], count, children })
  }

  function goesOn({ at, depth: level }: Node): Thing {
    return fillTemplate(shapes.more, { count: 0, id: '_', parent: `t1_${idOf(at)}`, depth: level + 1, children: [] })
  }

  function dataOf({ at, depth: level, parent, afterS }: Node) {
    const id = idOf(at)
    const draw = drawFrom(`${postId} comment ${at}`)
    const isDeleted = draw.chance('deleted') < 0.04
    const isSubmitter = !isDeleted && level > 0 && post.author !== '[deleted]' && draw.chance('submitter') < 0.12
    const speaker = speakers(draw.int('voice', 0, VOICES - 1))
    const lines = level > 0 && draw.chance('short') < 0.7 ? phrases.replies : phrases.comments
    return fillTemplate<Sibling['data']>(shapes.comment, {
      id,
      parent,
      depth: level,
      afterS,
      isSubmitter,
      link: post.name,
      permalink: `${post.permalink}${id}/`,
      author: isDeleted ? '[deleted]' : isSubmitter ? post.author : people(draw.int('who', 0, PEOPLE - 1)),
      body: isDeleted ? '[deleted]' : speaker.say(`line ${at}`, lines),
      score: Math.round((post.score * 0.7 * draw.chance('score') ** 4) / (level + 1)) + draw.int('votes', -3, 9),
      isHidden: nowS - afterS < 1800 || draw.chance('hidden') < 0.03,
      edited: draw.chance('edited') < 0.07 ? Math.min(afterS + 300, nowS) : false,
      distinguished: draw.chance('moderator') < 0.01 ? 'moderator' : null,
    })
  }
}

function remember<T extends object | string>(make: (n: number) => T): (n: number) => T {
  const known = new LRUCache<number, T>({ max: 100, memoMethod: make })
  return (n) => known.memo(n)
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
