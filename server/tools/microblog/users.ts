import { z } from 'zod'
import { checkProviderData } from '../provider'
import type { MicroblogResponse } from './client'
import { MICROBLOG_PROVIDER } from './errors'
import { EntityLinks, lenientCount, lenientIsoTime, lenientString, toReadableText } from './links'

/** https://docs.x.com/x-api/fundamentals/data-dictionary#user: without these only id, name and username come. */
export const USER_FIELDS =
  'created_at,description,entities,location,profile_image_url,protected,public_metrics,url,verified,verified_type'

const flag = z.boolean().nullish().catch(null)

const VendorUser = z.object({
  id: z.string().min(1),
  name: z.string(),
  username: z.string(),
  created_at: lenientIsoTime,
  description: lenientString,
  location: lenientString,
  url: lenientString,
  profile_image_url: lenientString,
  protected: flag,
  verified: flag,
  verified_type: lenientString,
  entities: z.object({ url: EntityLinks, description: EntityLinks }).nullish().catch(null),
  public_metrics: z
    .object({
      followers_count: lenientCount,
      following_count: lenientCount,
      tweet_count: lenientCount,
      post_count: lenientCount,
      listed_count: lenientCount,
    })
    .nullish()
    .catch(null),
})

/** What every microblog tool says about an account. */
export const MicroblogUserRow = z.object({
  userId: z.string(),
  username: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  location: z.string().nullable(),
  url: z.string().nullable(),
  profileImageUrl: z.string().nullable(),
  createdAt: z.iso.datetime().nullable(),
  followerCount: z.number().nullable(),
  followingCount: z.number().nullable(),
  postCount: z.number().nullable(),
  listedCount: z.number().nullable(),
  verified: z.boolean().nullable().describe('Null when the provider does not tell'),
  verifiedType: z.string().nullable().describe('blue, business or government; null for none'),
  protected: z.boolean().nullable().describe('True when the posts are not public'),
})
export type MicroblogUserRow = z.output<typeof MicroblogUserRow>

/** One account. Throws `upstream_error` for what has no id, name and username. */
export const readMicroblogUser = (data: unknown): MicroblogUserRow =>
  inOurNames(checkProviderData(MICROBLOG_PROVIDER, data, VendorUser))

function inOurNames(user: z.output<typeof VendorUser>): MicroblogUserRow {
  const { public_metrics: counts, entities } = user
  const verifiedType = user.verified_type === 'none' ? null : user.verified_type || null
  return {
    userId: user.id,
    username: user.username,
    name: toReadableText(user.name, []),
    description: user.description ? toReadableText(user.description, entities?.description ?? []) : null,
    location: user.location ? toReadableText(user.location, []) : null,
    url: user.url ? toReadableText(user.url, entities?.url ?? []) : null,
    profileImageUrl: user.profile_image_url || null,
    createdAt: user.created_at,
    followerCount: counts?.followers_count ?? null,
    followingCount: counts?.following_count ?? null,
    postCount: counts?.tweet_count ?? counts?.post_count ?? null,
    listedCount: counts?.listed_count ?? null,
    verified: user.verified ?? (verifiedType ? true : user.verified_type === 'none' ? false : null),
    verifiedType,
    protected: user.protected ?? null,
  }
}

/** The accounts an answer's posts speak of, each once; what is no account is left out. */
export function includedUsers({ includes }: MicroblogResponse): MicroblogUserRow[] {
  const users = (includes?.users ?? []).flatMap((item) => {
    const { data } = VendorUser.safeParse(item)
    return data ? [inOurNames(data)] : []
  })
  return [...new Map(users.map((user) => [user.userId, user])).values()]
}
