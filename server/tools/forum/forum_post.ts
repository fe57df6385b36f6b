import { z } from 'zod'
import { AppError } from '../../errors'
import { defineTool } from '../define'
import { READS_FOREIGN_TEXT } from '../flow'
import { type ProviderContext, parseProviderJson } from '../provider'
import { fetchForum, isForumConfigured, resolveShareLink } from './client'
import { ForumCommentRow, readCommentTree } from './comment-tree'
import { CommentDepth, CommentLimit, CommentSort } from './params'
import { type PostAddress, readPostAddress } from './post-address'
import { ForumListing, ForumPostRow, postsInListing } from './posts'
import { FORUM_PROVIDER } from './token'

/** Two listings: the post, then its comments. */
const PostPage = z.tuple([ForumListing, ForumListing])

export const forumPost = defineTool({
  id: 'forum_post',
  label: 'Forum post',
  capability: 'dataApi',
  description:
    'One Reddit post with its comments, in reading order. The address of a comment returns the thread around it. ' +
    'Comments that were left out are counted in moreCommentCount.',
  params: z.strictObject({
    postId: z
      .string()
      .trim()
      .max(2000)
      .refine(
        (text) => readPostAddress(text) !== null,
        'must be the id of a post or its address on reddit.com or redd.it',
      )
      .describe('Id of the post, or its full URL in any form, including share links'),
    commentLimit: CommentLimit,
    commentDepth: CommentDepth,
    commentSort: CommentSort.default('best').describe('Order of the comments'),
  }),
  sandboxExample: { postId: 'https://old.reddit.com/r/sailing/comments/1000t4ney/reefing_early/' },
  columns: ['author', 'score', 'text', 'publishedAt', 'depth', 'isByPostAuthor'],
  output: z.object({
    post: ForumPostRow,
    comments: z.array(ForumCommentRow),
    moreCommentCount: z.int().describe('Number of comments left out, at least'),
  }),
  pricing: { kind: 'fixed', credits: 5 },
  annotations: { readOnly: true, openWorld: true, idempotent: true },
  flow: READS_FOREIGN_TEXT,
  available: isForumConfigured,
  /**
   * https://www.reddit.com/dev/api/#GET_comments_{article}; the order "best" is "confidence" there.
   */
  async run({ postId, commentLimit, commentDepth, commentSort }, context) {
    const { postId: id, commentId } = await locate(context, postId)
    const query = {
      limit: String(commentLimit),
      depth: String(commentDepth),
      sort: commentSort === 'best' ? 'confidence' : commentSort,
      comment: commentId ?? undefined,
    }
    const body = await fetchForum(context, `/comments/${id}`, query, { kind: 'post', name: id })
    const [posts, replies] = parseProviderJson(FORUM_PROVIDER, body, PostPage)
    const [post] = postsInListing(posts)
    if (!post)
      throw new AppError('upstream_error', `There is no post ${id}, or it was deleted.`, { reason: 'not_found' })
    const { comments, more } = readCommentTree(replies, { limit: commentLimit, maxDepth: commentDepth })
    return { post, comments, moreCommentCount: more }
  },
})

async function locate(context: ProviderContext, text: string) {
  const found = readPostAddress(text)
  const address = found && 'sharePath' in found ? await followShareLink(context, found.sharePath) : found
  if (address && 'postId' in address) return address
  throw new AppError('upstream_error', 'This share link does not lead to a post.', { reason: 'not_found' })
}

/** Follows one redirect: its Location is read, and not fetched. */
async function followShareLink(context: ProviderContext, sharePath: string): Promise<PostAddress | null> {
  const location = await resolveShareLink(context, sharePath)
  return location.includes('/comments/') ? readPostAddress(location) : null
}
