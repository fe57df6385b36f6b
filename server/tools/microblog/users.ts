import { z } from 'zod'
import { parseProviderValue } from '../provider'
import { lenientBoolean, lenientNumber, lenientObject, lenientString, lenientTime } from '../provider-fields'
import type { MicroblogResponse } from './client'
import { MICROBLOG_PROVIDER } from './errors'
import { EntityLinks, toReadableText } from './links'

/** What agents are shown of a list of accounts. */
export const PROFILE_COLUMNS = [
  'username',
  'name',
  'description',
  'followerCount',
  'postCount',
  'location',
  'isVerified',
  'userId',
]

/**
 * https://docs.x.com/x-api/fundamentals/data-dictionary#user: without these only id, name and
 * username come.
 */
export const USER_FIELDS =
  'created_at,description,entities,location,profile_image_url,protected,public_metrics,url,verified,verified_type'

const XUser = z.object({
  id: z.string().min(1),
  name: z.string(),
  username: z.string(),
  created_at: lenientTime,
  description: lenientString,
  location: lenientString,
  url: lenientString,
  profile_image_url: lenientString,
  protected: lenientBoolean,
  verified: lenientBoolean,
  verified_type: lenientString,
  entities: lenientObject({ url: EntityLinks, description: EntityLinks }),
  public_metrics: lenientObject({
    followers_count: lenientNumber,
    following_count: lenientNumber,
    tweet_count: lenientNumber,
    post_count: lenientNumber,
    listed_count: lenientNumber,
  }),
})

/** An account as every microblog tool returns it. */
export const MicroblogUserRow = z
  .object({
    userId: z.string(),
    username: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    location: z.string().nullable(),
    url: z.string().describe('Address of the profile'),
    website: z.string().nullable(),
    avatar: z.string().nullable(),
    createdAt: z.iso.datetime().nullable(),
    followerCount: z.number().nullable(),
    followingCount: z.number().nullable(),
    postCount: z.number().nullable(),
    listedCount: z.number().nullable(),
    isVerified: z.boolean().nullable().describe('Null when the provider does not say'),
    verifiedType: z.string().nullable().describe('blue, business or government; null for none'),
    isProtected: z.boolean().nullable().describe('True when the posts are not public'),
  })
  .meta({ title: 'MicroblogUser' })
export type MicroblogUserRow = z.output<typeof MicroblogUserRow>

/** One account. Throws `upstream_error` when id, name or username is missing. */
export const readMicroblogUser = (data: unknown): MicroblogUserRow =>
  toUserRow(parseProviderValue(MICROBLOG_PROVIDER, data, XUser))

function toUserRow(user: z.output<typeof XUser>): MicroblogUserRow {
  const { public_metrics: counts, entities } = user
  const verifiedType = user.verified_type === 'none' ? null : user.verified_type || null
  return {
    userId: user.id,
    username: user.username,
    name: toReadableText(user.name, []),
    description: user.description ? toReadableText(user.description, entities?.description ?? []) : null,
    location: user.location ? toReadableText(user.location, []) : null,
    url: `https://x.com/${user.username}`,
    website: user.url ? toReadableText(user.url, entities?.url ?? []) : null,
    avatar: user.profile_image_url || null,
    createdAt: user.created_at,
    followerCount: counts?.followers_count ?? null,
    followingCount: counts?.following_count ?? null,
    postCount: counts?.tweet_count ?? counts?.post_count ?? null,
    listedCount: counts?.listed_count ?? null,
    isVerified: user.verified ?? (verifiedType ? true : user.verified_type === 'none' ? false : null),
    verifiedType,
    isProtected: user.protected,
  }
}

/** The accounts that a response's posts mention, each once; what is not an account is left out. */
export function includedUsers({ includes }: MicroblogResponse): MicroblogUserRow[] {
  const users = (includes?.users ?? []).flatMap((item) => {
    const { data } = XUser.safeParse(item)
    return data ? [toUserRow(data)] : []
  })
  return [...new Map(users.map((user) => [user.userId, user])).values()]
}
