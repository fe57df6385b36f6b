import { z } from 'zod'
import { defineTool } from '../define'
import { READS_FOREIGN_TEXT } from '../flow'
import { isMicroblogConfigured } from './client'
import { cutMicroblogPage, MicroblogCursor, MicroblogNextCursor, toPageRequest } from './paging'
import { MicroblogPostId, RowLimit } from './params'
import { MICROBLOG_COLUMNS, MicroblogPostRow, readMicroblogPosts } from './posts'
import { MIN_SEARCH_ROWS, searchMicroblogPosts } from './search-posts'
import { MicroblogUserRow } from './users'

export const microblogPostComments = defineTool({
  id: 'microblog_post_comments',
  label: 'Microblog replies',
  capability: 'dataApi',
  description:
    'A page of the replies to an X post, and of the replies to these, from the last seven days, newest first. ' +
    'Accounts are listed once, in users.',
  params: z.strictObject({
    postId: MicroblogPostId.describe('Id of the post: the number at the end of its URL'),
    limit: RowLimit.describe('Replies per page').meta({ required: true }),
    cursor: MicroblogCursor,
  }),
  sandboxExample: { postId: '2100000000105552640' },
  columns: MICROBLOG_COLUMNS,
  output: z.object({
    rows: z.array(MicroblogPostRow),
    users: z.array(MicroblogUserRow),
    nextCursor: MicroblogNextCursor,
  }),
  pricing: { kind: 'fixed', credits: 15 },
  annotations: { readOnly: true, openWorld: true, idempotent: true },
  flow: READS_FOREIGN_TEXT,
  available: isMicroblogConfigured,
  /**
   * No endpoint lists replies. https://docs.x.com/x-api/fundamentals/conversation-id searches for
   * the conversation, which has the id of its first post only; the other operator finds replies to
   * a later one.
   */
  async run({ postId, limit, cursor }, context) {
    const page = toPageRequest(cursor, limit, MIN_SEARCH_ROWS)
    const query = `(conversation_id:${postId} OR in_reply_to_tweet_id:${postId}) is:reply`
    const response = await searchMicroblogPosts(context, { query, page, subject: { kind: 'post', name: postId } })
    const { posts, users } = readMicroblogPosts(response)
    const { rows, nextCursor } = cutMicroblogPage(posts, page, response.meta?.next_token)
    return { rows, users, nextCursor }
  },
})
