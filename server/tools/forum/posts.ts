import { z } from 'zod'
import { parseProviderJson, parseProviderValue } from '../provider'
import { lenient, lenientEpochS, lenientFlag, lenientNumber, lenientString } from '../provider-fields'
import { postImages } from './images'
import { FORUM_PROVIDER } from './token'

/** What agents are shown of a list of posts. */
export const FORUM_COLUMNS = [
  'title',
  'url',
  'text',
  'score',
  'commentCount',
  'publishedAt',
  'community',
  'postId',
  'linkUrl',
  'isPinned',
  'isNsfw',
]

/** Reddit writes `[deleted]` for the author of a deleted account. */
export const authorName = lenientString.transform((name) => (name === '[deleted]' || name === '' ? null : name))

/** A post (kind t3): https://www.reddit.com/dev/api/, with the fields sent since 2016. */
const RedditPost = z.object({
  id: z.string().min(1),
  title: z.string(),
  author: authorName,
  subreddit: z.string(),
  selftext: lenientString,
  url: lenientString,
  permalink: lenientString,
  domain: lenientString,
  score: lenientNumber,
  upvote_ratio: lenientNumber,
  num_comments: lenientNumber,
  created_utc: lenientEpochS,
  edited: lenientEpochS,
  link_flair_text: lenientString,
  is_self: lenientFlag,
  is_video: lenientFlag,
  over_18: lenientFlag,
  spoiler: lenientFlag,
  locked: lenientFlag,
  stickied: lenientFlag,
  removed_by_category: lenientString,
  thumbnail: lenientString,
  preview: z.unknown().optional(),
  media_metadata: z.unknown().optional(),
  gallery_data: z.unknown().optional(),
  crosspost_parent_list: lenient(z.array(z.object({ id: z.string() }))),
})

/** A post as every forum tool returns it. */
export const ForumPostRow = z
  .object({
    postId: z.string(),
    title: z.string(),
    community: z.string(),
    author: z.string().nullable().describe('Null when the account was deleted'),
    text: z.string().describe('Body as Markdown; empty for links'),
    url: z.string().nullable().describe('Address of the discussion'),
    linkUrl: z.string().nullable().describe('What a link post links to; null for text posts'),
    domain: z.string().nullable(),
    score: z.number().nullable(),
    upvoteRatio: z.number().nullable(),
    commentCount: z.number().nullable(),
    publishedAt: z.iso.datetime().nullable(),
    editedAt: z.iso.datetime().nullable(),
    flair: z.string().nullable(),
    isText: z.boolean(),
    isVideo: z.boolean(),
    isNsfw: z.boolean(),
    isSpoiler: z.boolean(),
    isLocked: z.boolean(),
    isPinned: z.boolean(),
    removedBy: z
      .string()
      .nullable()
      .describe('Who removed it (deleted is its author, moderator, …), null when it was not'),
    thumbnail: z.string().nullable(),
    images: z.array(z.string()),
    crosspostOf: z.string().nullable().describe('Id of the original post'),
  })
  .meta({ title: 'ForumPost' })
export type ForumPostRow = z.output<typeof ForumPostRow>

/** A page of posts. */
export const ForumPostPage = z
  .object({
    rows: z.array(ForumPostRow),
    nextCursor: z.string().nullable().describe('Pass it as after for the next page; null on the last'),
    after: z.string().nullable().describe('The same as nextCursor'),
  })
  .meta({ title: 'ForumPostPage' })

const Thing = z.object({ kind: z.string(), data: z.unknown().optional() })
export const ForumListing = z.object({
  kind: z.literal('Listing'),
  data: z.object({ children: z.array(Thing), after: z.string().nullish() }),
})
export type ForumListing = z.output<typeof ForumListing>

/**
 * The posts of a listing; other kinds (users, communities) are left out. Throws `upstream_error`.
 */
export function postsInListing(listing: ForumListing): ForumPostRow[] {
  return listing.data.children.filter(({ kind }) => kind === 't3').map(({ data }) => toPost(data))
}

/** A page of a listing, cut to `limit` posts. Throws `upstream_error`. */
export function readPostPage(body: string, limit: number): z.output<typeof ForumPostPage> {
  const listing = parseProviderJson(FORUM_PROVIDER, body, ForumListing)
  const posts = postsInListing(listing)
  // Pinned posts come on top of the limit. The next page begins after the last post returned.
  const first = posts.slice(0, limit)
  const rows = posts.length > limit && first.at(-1)?.isPinned ? posts.filter((p) => !p.isPinned).slice(0, limit) : first
  const last = rows.at(-1)
  const isCut = last !== undefined && last.postId !== posts.at(-1)?.postId
  const nextCursor = isCut ? `t3_${last.postId}` : listing.data.after || null
  return { rows, nextCursor, after: nextCursor }
}

function toPost(data: unknown): ForumPostRow {
  const post = parseProviderValue(FORUM_PROVIDER, data, RedditPost)
  return {
    postId: post.id,
    title: post.title,
    community: post.subreddit,
    author: post.author,
    text: post.selftext ?? '',
    url: redditUrl(post.permalink)?.split('?')[0] ?? null,
    linkUrl: post.is_self ? null : redditUrl(post.url),
    domain: post.domain,
    score: post.score,
    upvoteRatio: post.upvote_ratio,
    commentCount: post.num_comments,
    publishedAt: post.created_utc,
    editedAt: post.edited,
    flair: post.link_flair_text,
    isText: post.is_self,
    isVideo: post.is_video,
    isNsfw: post.over_18,
    isSpoiler: post.spoiler,
    isLocked: post.locked,
    isPinned: post.stickied,
    removedBy: post.removed_by_category,
    // "self", "default" and "nsfw" are names of icons.
    thumbnail: post.thumbnail?.startsWith('http') ? post.thumbnail : null,
    images: postImages(post),
    crosspostOf: post.crosspost_parent_list?.[0]?.id ?? null,
  }
}

/** URLs of Reddit's own pages are relative, and so are some links of old crossposts. */
export const redditUrl = (address: string | null): string | null =>
  address?.startsWith('/') ? `https://www.reddit.com${address}` : address || null
