import { z } from 'zod'
import { checkProviderData } from '../provider'
import { authorName, epochSeconds, ForumListing, redditUrl } from './posts'
import { FORUM_PROVIDER } from './token'

const flag = z.boolean().nullish().catch(null)
const text = z.string().nullish().catch(null)

const VendorComment = z.object({
  id: z.string().min(1),
  parent_id: text,
  author: authorName,
  body: text,
  score: z.number().nullish().catch(null),
  score_hidden: flag,
  created_utc: epochSeconds,
  edited: epochSeconds,
  permalink: text,
  is_submitter: flag,
  stickied: flag,
  distinguished: text,
  /** A listing, or "" when there are none. */
  replies: z.unknown().optional(),
})

/** Comments left out: `count` is 0 when a branch is only said to go on. */
const More = z.object({ count: z.number().min(0).catch(0) })

/** One comment; the tree is told by `depth` and `parentId`. */
export const ForumCommentRow = z.object({
  id: z.string(),
  parentId: z.string().nullable().describe('Id of the comment it answers; null for an answer to the post'),
  depth: z.int().describe('0 for answers to the post'),
  author: z.string().nullable().describe('Null when the account was deleted'),
  text: z.string().describe('Markdown; [deleted] or [removed] when it is gone'),
  score: z.number().nullable().describe('Null while the community hides it'),
  createdAt: z.iso.datetime().nullable(),
  editedAt: z.iso.datetime().nullable(),
  permalink: z.string().nullable(),
  isByPostAuthor: z.boolean(),
  isPinned: z.boolean(),
  distinguished: z.string().nullable().describe('moderator or admin when it speaks as one'),
})
export type ForumCommentRow = z.output<typeof ForumCommentRow>

type Read = { comments: ForumCommentRow[]; more: number }

/**
 * A tree of comments in reading order, cut to `limit` comments and `maxDepth` levels, and how many more there are at
 * least. Throws `upstream_error`.
 */
export function readCommentTree(listing: ForumListing, { limit, maxDepth }: { limit: number; maxDepth: number }): Read {
  const read: Read = { comments: [], more: 0 }
  walk(listing, 0)
  return read

  function walk(level: ForumListing, depth: number): void {
    for (const { kind, data } of level.data.children) {
      if (kind === 'more') read.more += Math.max(checkProviderData(FORUM_PROVIDER, data, More).count, 1)
      if (kind !== 't1') continue
      if (read.comments.length >= limit || depth >= maxDepth) {
        read.more += 1
        continue
      }
      const comment = checkProviderData(FORUM_PROVIDER, data, VendorComment)
      read.comments.push(toComment(comment, depth))
      if (typeof comment.replies === 'object' && comment.replies !== null) {
        walk(checkProviderData(FORUM_PROVIDER, comment.replies, ForumListing), depth + 1)
      }
    }
  }
}

function toComment(comment: z.output<typeof VendorComment>, depth: number): ForumCommentRow {
  return {
    id: comment.id,
    parentId: comment.parent_id?.startsWith('t1_') ? comment.parent_id.slice(3) : null,
    depth,
    author: comment.author,
    text: comment.body ?? '',
    score: comment.score_hidden ? null : (comment.score ?? null),
    createdAt: comment.created_utc,
    editedAt: comment.edited,
    permalink: redditUrl(comment.permalink ?? null),
    isByPostAuthor: comment.is_submitter ?? false,
    isPinned: comment.stickied ?? false,
    distinguished: comment.distinguished ?? null,
  }
}
