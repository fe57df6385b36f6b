import { z } from 'zod'
import { AppError } from '../../errors'
import { defineTool } from '../define'
import { READS_STRANGERS } from '../exposure'
import { postId } from './params'
import { POST_QUERY, Post, postsOf } from './posts'
import { VENDOR } from './refusal'
import { getMicroblog, isConfigured } from './upstream'
import { User } from './users'

export const microblogPost = defineTool({
  id: 'microblog_post',
  label: 'Microblog post',
  capability: 'dataApi',
  description: 'One X post: its text, author, engagement counts and time.',
  params: z.strictObject({ postId: postId.describe('Id of the post: the number at the end of its URL') }),
  output: Post.extend({ author: User.nullable().describe('Null when the account is gone or suspended') }),
  pricing: { kind: 'fixed', credits: 15 },
  annotations: { readOnly: true, openWorld: true, idempotent: true },
  exposure: READS_STRANGERS,
  available: isConfigured,
  /** https://docs.x.com/x-api/posts/get-post-by-id. The id of an edited post may come back as that of its last version. */
  async run({ postId }, context) {
    const answer = await getMicroblog(context, `/2/tweets/${postId}`, POST_QUERY, { kind: 'post', name: postId })
    const { posts, users } = postsOf({ ...answer, data: [answer.data] })
    const [post] = posts
    if (!post) throw new AppError('upstream_error', `${VENDOR} sent an answer of an unknown form.`)
    return { ...post, author: users.find((user) => user.userId === post.authorId) ?? null }
  },
})
