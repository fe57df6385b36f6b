import { z } from 'zod'
import { defineTool } from '../define'
import { READS_FOREIGN_TEXT } from '../flow'
import { fetchMicroblog, isMicroblogConfigured } from './client'
import { cutMicroblogPage, MicroblogCursor, MicroblogNextCursor, toPageRequest } from './paging'
import { MicroblogUserId, RowLimit } from './params'
import { MICROBLOG_COLUMNS, MicroblogPostRow, POST_QUERY, readMicroblogPosts } from './posts'
import { MicroblogUserRow } from './users'

/** Minimum page size of a timeline. */
const MIN_ROWS = 5

export const microblogUserPosts = defineTool({
  id: 'microblog_user_posts',
  label: 'Microblog posts of a user',
  capability: 'dataApi',
  description: 'A page of the posts of one X account, newest first. Accounts are listed once, in users.',
  params: z.strictObject({
    userId: MicroblogUserId.describe('Numeric id of the account, userId of microblog_user'),
    limit: RowLimit.describe('Posts per page').meta({ required: true }),
    cursor: MicroblogCursor,
  }),
  sandboxExample: { userId: '2100000024478477813' },
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
  /** https://docs.x.com/x-api/users/get-posts: 5 to 100 posts, paged by pagination_token. */
  async run({ userId, limit, cursor }, context) {
    const page = toPageRequest(cursor, limit, MIN_ROWS)
    const query = { ...POST_QUERY, max_results: page.maxResults, pagination_token: page.token }
    const response = await fetchMicroblog(context, `/2/users/${userId}/tweets`, query, { kind: 'user', name: userId })
    const { posts, users } = readMicroblogPosts(response)
    const { rows, nextCursor } = cutMicroblogPage(posts, page, response.meta?.next_token)
    return { rows, users, nextCursor }
  },
})
