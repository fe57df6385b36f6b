import { z } from 'zod'
import { defineTool } from '../define'
import { READS_UNTRUSTED_TEXT } from '../exposure'
import { parseProviderJson } from '../provider'
import { fetchForum, isForumConfigured } from './client'
import { ForumUsername } from './params'
import { epochSeconds } from './posts'
import { FORUM_PROVIDER } from './token'

const flag = z.boolean().nullish().catch(null)
const count = z.number().nullish().catch(null)
const text = z.string().nullish().catch(null)

/** A suspended account is a stub: its name, is_suspended and perhaps some zeros. */
const About = z.object({
  kind: z.literal('t2'),
  data: z.object({
    id: text,
    name: z.string(),
    created_utc: epochSeconds,
    link_karma: count,
    comment_karma: count,
    total_karma: count,
    verified: flag,
    has_verified_email: flag,
    is_employee: flag,
    is_gold: flag,
    is_mod: flag,
    is_suspended: flag,
    icon_img: text,
    subreddit: z.object({ title: text, public_description: text, over_18: flag }).nullish().catch(null),
  }),
})

const karma = z.number().nullable()

export const forumUser = defineTool({
  id: 'forum_user',
  label: 'Forum user',
  capability: 'dataApi',
  description:
    'Public profile of a Reddit user: karma, account age and verification. Of a suspended account only the name is told.',
  params: z.strictObject({ username: ForumUsername.describe('Name of the user, without u/') }),
  sandboxExample: { username: 'sandbox_user_1' },
  output: z.object({
    id: z.string().nullable(),
    username: z.string(),
    displayName: z.string().nullable(),
    description: z.string().nullable(),
    profileUrl: z.string(),
    avatar: z.string().nullable(),
    karma: z.object({ total: karma, post: karma, comment: karma }),
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
  exposure: READS_UNTRUSTED_TEXT,
  available: isForumConfigured,
  /** https://www.reddit.com/dev/api/#GET_user_{username}_about */
  async run({ username }, context) {
    const body = await fetchForum(context, `/user/${username}/about`, {}, { kind: 'user', name: username })
    const { data } = parseProviderJson(FORUM_PROVIDER, body, About)
    const suspended = data.is_suspended ?? false
    const [post, comment] = [data.link_karma ?? null, data.comment_karma ?? null]
    const total = data.total_karma ?? (post === null || comment === null ? null : post + comment)
    return {
      id: data.id ?? null,
      username: data.name,
      displayName: data.subreddit?.title || null,
      description: data.subreddit?.public_description || null,
      profileUrl: `https://www.reddit.com/user/${data.name}/`,
      avatar: data.icon_img || null,
      // The zeros of a suspended account say nothing.
      karma: suspended ? { total: null, post: null, comment: null } : { total, post, comment },
      createdAt: data.created_utc,
      accountAgeDays: data.created_utc === null ? null : ageInDays(data.created_utc),
      isVerified: data.verified ?? null,
      hasVerifiedEmail: data.has_verified_email ?? null,
      isEmployee: data.is_employee ?? false,
      isModerator: data.is_mod ?? false,
      isPremium: data.is_gold ?? false,
      isNsfw: data.subreddit?.over_18 ?? false,
      isSuspended: suspended,
    }
  },
})

const DAY_MS = 86_400_000

const ageInDays = (createdAt: string): number => Math.max(0, Math.floor((Date.now() - Date.parse(createdAt)) / DAY_MS))
