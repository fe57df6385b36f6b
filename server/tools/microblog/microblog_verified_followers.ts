import { z } from 'zod'
import { defineTool } from '../define'
import { READS_FOREIGN_TEXT } from '../flow'
import { isMicroblogConfigured } from './client'
import { explainEmptyPage, FollowerPage, fetchFollowers } from './followers'
import { MicroblogCursor } from './paging'
import { MicroblogUserId } from './params'
import { PROFILE_COLUMNS } from './users'

export const microblogVerifiedFollowers = defineTool({
  id: 'microblog_verified_followers',
  label: 'Microblog verified followers',
  capability: 'dataApi',
  description:
    'The verified ones among a page of the followers of an X account. There is no total: call until nextCursor is null ' +
    'and add up. A page may be empty and still have a next one; note says so.',
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
  async run({ microblogUserId, cursor }, context) {
    const { rows, nextCursor } = await fetchFollowers(context, microblogUserId, cursor)
    return explainEmptyPage({ rows: rows.filter((user) => user.isVerified), nextCursor }, rows.length)
  },
})
