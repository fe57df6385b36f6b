import { z } from 'zod'
import { defineTool } from '../define'
import { READS_FOREIGN_TEXT } from '../flow'
import { unknownFormatError } from '../provider'
import { fetchMicroblog, isMicroblogConfigured } from './client'
import { MICROBLOG_PROVIDER } from './errors'
import { MicroblogPostId } from './params'
import { MicroblogPostRow, POST_QUERY, readMicroblogPosts } from './posts'
import { MicroblogUserRow } from './users'

export const microblogPost = defineTool({
  id: 'microblog_post',
  label: 'Microblog post',
  capability: 'dataApi',
  description: 'One X post: its text, author, engagement counts and time.',
  params: z.strictObject({ postId: MicroblogPostId.describe('Id of the post: the number at the end of its URL') }),
  sandboxExample: { postId: '2100000000105552640' },
  output: MicroblogPostRow.extend({
    user: MicroblogUserRow.nullable().describe('Null when the account was deleted or suspended'),
  }),
  pricing: { kind: 'fixed', credits: 15 },
  annotations: { readOnly: true, openWorld: true, idempotent: true },
  flow: READS_FOREIGN_TEXT,
  available: isMicroblogConfigured,
  /**
   * https://docs.x.com/x-api/posts/get-post-by-id. For an edited post it may return the id of the
   * last version.
   */
  async run({ postId }, context) {
    const response = await fetchMicroblog(context, `/2/tweets/${postId}`, POST_QUERY, { kind: 'post', name: postId })
    const { posts, users } = readMicroblogPosts({ ...response, data: [response.data] })
    const [post] = posts
    if (!post) throw unknownFormatError(MICROBLOG_PROVIDER)
    return { ...post, user: users.find((user) => user.userId === post.authorId) ?? null }
  },
})
