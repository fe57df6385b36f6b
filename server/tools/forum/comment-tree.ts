import { z } from 'zod'
import { parseProviderValue } from '../provider'
import { lenientEpochS, lenientFlag, lenientNumber, lenientString } from '../provider-fields'
import { authorName, ForumListing, redditUrl } from './posts'
import { FORUM_PROVIDER } from './token'

const RedditComment = z.object({
  id: z.string().min(1),
  parent_id: lenientString,
  author: authorName,
  body: lenientString,
  score: lenientNumber,
  score_hidden: lenientFlag,
  created_utc: lenientEpochS,
  edited: lenientEpochS,
  permalink: lenientString,
  is_submitter: lenientFlag,
  stickied: lenientFlag,
  distinguished: lenientString,
  /** A listing, or `""` without replies. */
  replies: z.unknown().optional(),
})

/**
 * Comments that were left out; `count` is 0 where a branch goes on for an unknown number of them.
 */
const More = z.object({ count: z.number().min(0).catch(0) })

/** One comment; `depth` and `parentId` say where in the tree. */
export const ForumCommentRow = z
  .object({
    commentId: z.string(),
    parentId: z.string().nullable().describe('Id of the comment it replies to; null for a reply to the post'),
    depth: z.int().describe('0 for replies to the post'),
    author: z.string().nullable().describe('Null when the account was deleted'),
    text: z.string().describe('Markdown; [deleted] or [removed] when it was deleted or removed'),
    score: z.number().nullable().describe('Null while the community hides it'),
    publishedAt: z.iso.datetime().nullable(),
    editedAt: z.iso.datetime().nullable(),
    url: z.string().nullable(),
    isByPostAuthor: z.boolean(),
    isPinned: z.boolean(),
    distinguished: z.string().nullable().describe('moderator or admin, when written as one'),
  })
  .meta({ title: 'ForumComment' })
export type ForumCommentRow = z.output<typeof ForumCommentRow>

type CommentTree = { comments: ForumCommentRow[]; more: number }

/**
 * A tree of comments in reading order, cut to `limit` comments and `maxDepth` levels. `more` is how
 * many more there are at least. Throws `upstream_error`.
 */
export function readCommentTree(
  listing: ForumListing,
  { limit, maxDepth }: { limit: number; maxDepth: number },
): CommentTree {
  const tree: CommentTree = { comments: [], more: 0 }
  walk(listing, 0)
  return tree

  function walk(level: ForumListing, depth: number): void {
    for (const { kind, data } of level.data.children) {
      if (kind === 'more') tree.more += Math.max(parseProviderValue(FORUM_PROVIDER, data, More).count, 1)
      if (kind !== 't1') continue
      if (tree.comments.length >= limit || depth >= maxDepth) {
        tree.more += 1
        continue
      }
      const comment = parseProviderValue(FORUM_PROVIDER, data, RedditComment)
      tree.comments.push(toComment(comment, depth))
      if (typeof comment.replies === 'object' && comment.replies !== null) {
        walk(parseProviderValue(FORUM_PROVIDER, comment.replies, ForumListing), depth + 1)
      }
    }
  }
}

function toComment(comment: z.output<typeof RedditComment>, depth: number): ForumCommentRow {
  return {
    commentId: comment.id,
    parentId: comment.parent_id?.startsWith('t1_') ? comment.parent_id.slice(3) : null,
    depth,
    author: comment.author,
    text: comment.body ?? '',
    score: comment.score_hidden ? null : comment.score,
    publishedAt: comment.created_utc,
    editedAt: comment.edited,
    url: redditUrl(comment.permalink),
    isByPostAuthor: comment.is_submitter,
    isPinned: comment.stickied,
    distinguished: comment.distinguished,
  }
}
