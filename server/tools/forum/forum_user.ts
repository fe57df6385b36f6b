import { z } from 'zod'
import { defineTool } from '../define'
import { READS_FOREIGN_TEXT } from '../flow'
import { parseProviderJson } from '../provider'
import { lenientBoolean, lenientEpochS, lenientNumber, lenientObject, lenientString } from '../provider-fields'
import { fetchForum, isForumConfigured } from './client'
import { ForumUsername } from './params'
import { FORUM_PROVIDER } from './token'

/** Of a suspended account only name and is_suspended are sent, and sometimes zeros. */
const About = z.object({
  kind: z.literal('t2'),
  data: z.object({
    id: lenientString,
    name: z.string(),
    created_utc: lenientEpochS,
    link_karma: lenientNumber,
    comment_karma: lenientNumber,
    total_karma: lenientNumber,
    verified: lenientBoolean,
    has_verified_email: lenientBoolean,
    is_employee: lenientBoolean,
    is_gold: lenientBoolean,
    is_mod: lenientBoolean,
    is_suspended: lenientBoolean,
    icon_img: lenientString,
    subreddit: lenientObject({
      title: lenientString,
      public_description: lenientString,
      over_18: lenientBoolean,
    }),
  }),
})

const karma = z.number().nullable()
const NO_KARMA = { karma: null, postKarma: null, commentKarma: null }

export const forumUser = defineTool({
  id: 'forum_user',
  label: 'Forum user',
  capability: 'dataApi',
  description:
    'Public profile of a Reddit user: karma, account age and verification. Of a suspended account only the name is known.',
  params: z.strictObject({ username: ForumUsername.describe('Name of the user, without u/') }),
  sandboxExample: { username: 'patient_otter42' },
  output: z.object({
    userId: z.string().nullable(),
    username: z.string(),
    name: z.string().nullable(),
    description: z.string().nullable(),
    url: z.string(),
    avatar: z.string().nullable(),
    karma,
    postKarma: karma,
    commentKarma: karma,
    createdAt: z.iso.datetime().nullable(),
    accountAgeDays: z.int().nullable(),
    isVerified: z.boolean().nullable(),
    hasVerifiedEmail: z.boolean().nullable(),
    isEmployee: z.boolean(),
    isModerator: z.boolean(),
    isPremium: z.boolean(),
    isNsfw: z.boolean(),
    isSuspended: z.boolean(),
  }),
  pricing: { kind: 'fixed', credits: 5 },
  annotations: { readOnly: true, openWorld: true, idempotent: true },
  flow: READS_FOREIGN_TEXT,
  available: isForumConfigured,
  /** https://www.reddit.com/dev/api/#GET_user_{username}_about */
  async run({ username }, context) {
    const body = await fetchForum(context, `/user/${username}/about`, {}, { kind: 'user', name: username })
    const { data } = parseProviderJson(FORUM_PROVIDER, body, About)
    const isSuspended = data.is_suspended ?? false
    const [postKarma, commentKarma] = [data.link_karma, data.comment_karma]
    const total = data.total_karma ?? (postKarma === null || commentKarma === null ? null : postKarma + commentKarma)
    return {
      userId: data.id,
      username: data.name,
      name: data.subreddit?.title || null,
      description: data.subreddit?.public_description || null,
      url: `https://www.reddit.com/user/${data.name}/`,
      avatar: data.icon_img || null,
      // The zeros of a suspended account mean nothing.
      ...(isSuspended ? NO_KARMA : { karma: total, postKarma, commentKarma }),
      createdAt: data.created_utc,
      accountAgeDays: data.created_utc === null ? null : ageInDays(data.created_utc),
      isVerified: data.verified,
      hasVerifiedEmail: data.has_verified_email,
      isEmployee: data.is_employee ?? false,
      isModerator: data.is_mod ?? false,
      isPremium: data.is_gold ?? false,
      isNsfw: data.subreddit?.over_18 ?? false,
      isSuspended,
    }
  },
})

const DAY_MS = 86_400_000

const ageInDays = (createdAt: string): number => Math.max(0, Math.floor((Date.now() - Date.parse(createdAt)) / DAY_MS))
