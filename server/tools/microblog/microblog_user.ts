import { z } from 'zod'
import { defineTool } from '../define'
import { READS_FOREIGN_TEXT } from '../flow'
import { unknownFormatError } from '../provider'
import { fetchMicroblog, isMicroblogConfigured } from './client'
import { MICROBLOG_PROVIDER } from './errors'
import { MicroblogUsername } from './params'
import { MicroblogUserRow, readMicroblogUser, USER_FIELDS } from './users'

export const microblogUser = defineTool({
  id: 'microblog_user',
  label: 'Microblog user',
  capability: 'dataApi',
  leadsTo: ['microblog_user_posts', 'microblog_followers'],
  description:
    'Public profile of an X account: follower counts, bio and verification. Its userId is what the tools for posts and ' +
    'followers take.',
  params: z.strictObject({ username: MicroblogUsername.describe('Handle of the account, without @') }),
  sandboxExample: { username: 'ada_trains' },
  output: MicroblogUserRow,
  pricing: { kind: 'fixed', credits: 15 },
  annotations: { readOnly: true, openWorld: true, idempotent: true },
  flow: READS_FOREIGN_TEXT,
  available: isMicroblogConfigured,
  /** https://docs.x.com/x-api/users/get-user-by-username */
  async run({ username }, context) {
    const subject = { kind: 'user', name: username } as const
    const response = await fetchMicroblog(
      context,
      `/2/users/by/username/${username}`,
      { 'user.fields': USER_FIELDS },
      subject,
    )
    if (response.data === undefined) throw unknownFormatError(MICROBLOG_PROVIDER)
    return readMicroblogUser(response.data)
  },
})
