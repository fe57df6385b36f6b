import { z } from 'zod'
import { AppError } from '../../errors'
import { defineTool } from '../define'
import { READS_STRANGERS } from '../exposure'
import { username } from './params'
import { VENDOR } from './refusal'
import { getMicroblog, isConfigured } from './upstream'
import { toUser, USER_FIELDS, User } from './users'

export const microblogUser = defineTool({
  id: 'microblog_user',
  label: 'Microblog user',
  capability: 'dataApi',
  description:
    'Public profile of an X account: follower counts, bio and verification. Its userId is what the tools for posts and ' +
    'followers take.',
  params: z.strictObject({ username: username.describe('Handle of the account, without @') }),
  output: User,
  pricing: { kind: 'fixed', credits: 15 },
  annotations: { readOnly: true, openWorld: true, idempotent: true },
  exposure: READS_STRANGERS,
  available: isConfigured,
  /** https://docs.x.com/x-api/users/get-user-by-username */
  async run({ username }, context) {
    const subject = { kind: 'user', name: username } as const
    const answer = await getMicroblog(
      context,
      `/2/users/by/username/${username}`,
      { 'user.fields': USER_FIELDS },
      subject,
    )
    if (answer.data === undefined) throw new AppError('upstream_error', `${VENDOR} sent an answer of an unknown form.`)
    return toUser(answer.data)
  },
})
