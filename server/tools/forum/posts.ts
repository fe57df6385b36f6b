import { z } from 'zod'
import { checkProviderData, parseProviderJson } from '../provider'
import { postImages } from './images'
import { FORUM_PROVIDER } from './token'

const text = z
  .string()
  .nullish()
  .catch(null)
  .transform((t) => t ?? null)
const count = z
  .number()
  .nullish()
  .catch(null)
  .transform((n) => n ?? null)
const flag = z
  .boolean()
  .nullish()
  .catch(false)
  .transform((b) => b ?? false)

/** Seconds since 1970 with a fraction; 0, false or nothing when there is no such time. */
export const epochSeconds = z.unknown().optional().transform(isoOf)

/** `"[deleted]"` stands where the author's account is gone. */
export const authorName = text.transform((name) => (name === '[deleted]' || name === '' ? null : name))

/** A post (kind t3): https://www.reddit.com/dev/api/, field set as sent since 2016; most fields may be missing. */
const VendorPost = z.object({
  id: z.string().min(1),
  title: z.string(),
  author: authorName,
  subreddit: z.string(),
  selftext: text,
  url: text,
  permalink: text,
  domain: text,
  score: count,
  upvote_ratio: count,
  num_comments: count,
  created_utc: epochSeconds,
  edited: epochSeconds,
  link_flair_text: text,
  is_self: flag,
  is_video: flag,
  over_18: flag,
  spoiler: flag,
  locked: flag,
  stickied: flag,
  removed_by_category: text,
  thumbnail: text,
  preview: z.unknown().optional(),
  media_metadata: z.unknown().optional(),
  gallery_data: z.unknown().optional(),
  crosspost_parent_list: z
    .array(z.object({ id: z.string() }))
    .nullish()
    .catch(null),
})

/** What every forum tool says about a post. */
export const ForumPostRow = z.object({
  id: z.string(),
  title: z.string(),
  community: z.string(),
  author: z.string().nullable().describe('Null when the account was deleted'),
  text: z.string().describe('Body as Markdown; empty for links'),
  url: z.string().nullable().describe('What the post links to; its own address for text posts'),
  permalink: z.string().nullable().describe('Address of the discussion'),
  domain: z.string().nullable(),
  score: z.number().nullable(),
  upvoteRatio: z.number().nullable(),
  commentCount: z.number().nullable(),
  createdAt: z.iso.datetime().nullable(),
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
    .describe('Who removed it (deleted is its author, moderator, …), null when it stands'),
  thumbnail: z.string().nullable(),
  images: z.array(z.string()),
  crosspostOf: z.string().nullable().describe('Id of the original post'),
})
export type ForumPostRow = z.output<typeof ForumPostRow>

/** A page of posts. */
export const ForumPostPage = z.object({
  rows: z.array(ForumPostRow),
  nextCursor: z.string().nullable().describe('Give it as after for the next page; null on the last'),
  after: z.string().nullable().describe('The same as nextCursor'),
})

const Thing = z.object({ kind: z.string(), data: z.unknown().optional() })
export const ForumListing = z.object({
  kind: z.literal('Listing'),
  data: z.object({ children: z.array(Thing), after: z.string().nullish() }),
})
export type ForumListing = z.output<typeof ForumListing>

/** The posts of a listing, each as its own thing; other kinds (users, communities) are left out. Throws `upstream_error`. */
export function postsInListing(listing: ForumListing): ForumPostRow[] {
  return listing.data.children.filter(({ kind }) => kind === 't3').map(({ data }) => toPost(data))
}

/** A listing's page, cut to `limit`. Throws `upstream_error`. */
export function readPostPage(body: string, limit: number): z.output<typeof ForumPostPage> {
  const listing = parseProviderJson(FORUM_PROVIDER, body, ForumListing)
  const posts = postsInListing(listing)
  // Pinned posts come on top of the limit. The next page begins after the last post handed out.
  const first = posts.slice(0, limit)
  const rows = posts.length > limit && first.at(-1)?.isPinned ? posts.filter((p) => !p.isPinned).slice(0, limit) : first
  const last = rows.at(-1)
  const isCut = last !== undefined && last.id !== posts.at(-1)?.id
  const nextCursor = isCut ? `t3_${last.id}` : listing.data.after || null
  return { rows, nextCursor, after: nextCursor }
}

function toPost(data: unknown): ForumPostRow {
  const post = checkProviderData(FORUM_PROVIDER, data, VendorPost)
  return {
    id: post.id,
    title: post.title,
    community: post.subreddit,
    author: post.author,
    text: post.selftext ?? '',
    url: redditUrl(post.url),
    permalink: redditUrl(post.permalink)?.split('?')[0] ?? null,
    domain: post.domain,
    score: post.score,
    upvoteRatio: post.upvote_ratio,
    commentCount: post.num_comments,
    createdAt: post.created_utc,
    editedAt: post.edited,
    flair: post.link_flair_text,
    isText: post.is_self,
    isVideo: post.is_video,
    isNsfw: post.over_18,
    isSpoiler: post.spoiler,
    isLocked: post.locked,
    isPinned: post.stickied,
    removedBy: post.removed_by_category,
    // "self", "default", "nsfw" and the like are names of icons.
    thumbnail: post.thumbnail?.startsWith('http') ? post.thumbnail : null,
    images: postImages(post),
    crosspostOf: post.crosspost_parent_list?.[0]?.id ?? null,
  }
}

/** Addresses of the vendor's own pages are relative, some links of old crossposts too. */
export const redditUrl = (address: string | null): string | null =>
  address?.startsWith('/') ? `https://www.reddit.com${address}` : address || null

const LATEST_S = Date.UTC(9999, 0) / 1000

function isoOf(seconds: unknown): string | null {
  if (typeof seconds !== 'number' || !(seconds > 0 && seconds < LATEST_S)) return null
  return new Date(seconds * 1000).toISOString()
}
