import { z } from 'zod'
import { defineTool } from '../define'
import { READS_STRANGERS } from '../exposure'
import { cursor, cutPage, nextCursor, pageFrom } from './paging'
import { limit, userId } from './params'
import { POST_QUERY, Post, postsOf } from './posts'
import { getMicroblog, isConfigured } from './upstream'
import { User } from './users'

/** Fewest posts the vendor gives at a time. */
const LEAST = 5

export const microblogUserPosts = defineTool({
  id: 'microblog_user_posts',
  label: 'Microblog posts of a user',
  capability: 'dataApi',
  description: 'A page of the posts of one X account, newest first. Accounts are told once, in users.',
  params: z.strictObject({
    userId: userId.describe('Numeric id of the account, userId of microblog_user'),
    limit: limit.describe('Posts a page').meta({ required: true }),
    cursor,
  }),
  output: z.object({ rows: z.array(Post), users: z.array(User), nextCursor }),
  pricing: { kind: 'fixed', credits: 15 },
  annotations: { readOnly: true, openWorld: true, idempotent: true },
  exposure: READS_STRANGERS,
  available: isConfigured,
  /** https://docs.x.com/x-api/users/get-posts: 5 to 100 posts, paged by pagination_token. */
  async run({ userId, limit, cursor }, context) {
    const page = pageFrom(cursor, limit, LEAST)
    const asked = { ...POST_QUERY, max_results: page.maxResults, pagination_token: page.token }
    const answer = await getMicroblog(context, `/2/users/${userId}/tweets`, asked, { kind: 'user', name: userId })
    const { posts, users } = postsOf(answer)
    const { rows, nextCursor } = cutPage(posts, page, answer.meta?.next_token)
    return { rows, users, nextCursor }
  },
})
