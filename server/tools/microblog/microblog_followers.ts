import { z } from 'zod'
import { defineTool } from '../define'
import { READS_STRANGERS } from '../exposure'
import { FollowerList, fetchFollowers } from './followers'
import { cursor } from './paging'
import { userId } from './params'
import { isConfigured } from './upstream'

export const microblogFollowers = defineTool({
  id: 'microblog_followers',
  label: 'Microblog followers',
  capability: 'dataApi',
  description: 'A page of the followers of an X account, each with follower count and verified flag.',
  params: z.strictObject({
    microblogUserId: userId.describe('Numeric id of the account, userId of microblog_user; not the handle'),
    cursor,
  }),
  output: FollowerList,
  pricing: { kind: 'fixed', credits: 15 },
  annotations: { readOnly: true, openWorld: true, idempotent: true },
  exposure: READS_STRANGERS,
  available: isConfigured,
  run: ({ microblogUserId, cursor }, context) => fetchFollowers(context, microblogUserId, cursor),
})
