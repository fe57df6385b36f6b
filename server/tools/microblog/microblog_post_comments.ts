import { z } from 'zod'
import { defineTool } from '../define'
import { READS_STRANGERS } from '../exposure'
import { cursor, cutPage, nextCursor, pageFrom } from './paging'
import { limit, postId } from './params'
import { Post, postsOf } from './posts'
import { SEARCH_LEAST, searchPosts } from './search'
import { isConfigured } from './upstream'
import { User } from './users'

export const microblogPostComments = defineTool({
  id: 'microblog_post_comments',
  label: 'Microblog replies',
  capability: 'dataApi',
  description:
    'A page of the replies to an X post, and of the replies to these, from the last seven days, newest first. ' +
    'Accounts are told once, in users.',
  params: z.strictObject({
    postId: postId.describe('Id of the post: the number at the end of its URL'),
    limit: limit.describe('Replies a page').meta({ required: true }),
    cursor,
  }),
  output: z.object({ rows: z.array(Post), users: z.array(User), nextCursor }),
  pricing: { kind: 'fixed', credits: 15 },
  annotations: { readOnly: true, openWorld: true, idempotent: true },
  exposure: READS_STRANGERS,
  available: isConfigured,
  /**
   * There is no call for replies: https://docs.x.com/x-api/fundamentals/conversation-id searches for the conversation,
   * which bears the id of its first post only; answers to a later one are found by the other operator.
   */
  async run({ postId, limit, cursor }, context) {
    const page = pageFrom(cursor, limit, SEARCH_LEAST)
    const query = `(conversation_id:${postId} OR in_reply_to_tweet_id:${postId}) is:reply`
    const answer = await searchPosts(context, { query, page, subject: { kind: 'post', name: postId } })
    const { posts, users } = postsOf(answer)
    const { rows, nextCursor } = cutPage(posts, page, answer.meta?.next_token)
    return { rows, users, nextCursor }
  },
})
