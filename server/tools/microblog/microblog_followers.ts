import { z } from 'zod'
import { defineTool } from '../define'
import { READS_FOREIGN_TEXT } from '../flow'
import { isMicroblogConfigured } from './client'
import { explainEmptyPage, FollowerPage, fetchFollowers } from './followers'
import { MicroblogCursor } from './paging'
import { MicroblogUserId } from './params'
import { PROFILE_COLUMNS } from './users'

export const microblogFollowers = defineTool({
  id: 'microblog_followers',
  label: 'Microblog followers',
  capability: 'dataApi',
  description: 'A page of the followers of an X account, each with follower count and verified flag.',
  params: z.strictObject({
    microblogUserId: MicroblogUserId.describe('Numeric id of the account, userId of microblog_user; not the handle'),
    cursor: MicroblogCursor,
  }),
  sandboxExample: { microblogUserId: '2100000024478477813' },
  columns: PROFILE_COLUMNS,
  output: FollowerPage,
  pricing: { kind: 'fixed', credits: 15 },
  annotations: { readOnly: true, openWorld: true, idempotent: true },
  flow: READS_FOREIGN_TEXT,
  available: isMicroblogConfigured,
  run: async ({ microblogUserId, cursor }, context) =>
    explainEmptyPage(await fetchFollowers(context, microblogUserId, cursor), 0),
})
