import { z } from 'zod'
import { checkVendor } from '../vendor'
import { VENDOR } from './refusal'
import { links, optionalCount, optionalText, optionalTime, readable } from './text'
import type { Answer } from './upstream'

/** https://docs.x.com/x-api/fundamentals/data-dictionary#user: without these only id, name and username come. */
export const USER_FIELDS =
  'created_at,description,entities,location,profile_image_url,protected,public_metrics,url,verified,verified_type'

const flag = z.boolean().nullish().catch(null)

const VendorUser = z.object({
  id: z.string().min(1),
  name: z.string(),
  username: z.string(),
  created_at: optionalTime,
  description: optionalText,
  location: optionalText,
  url: optionalText,
  profile_image_url: optionalText,
  protected: flag,
  verified: flag,
  verified_type: optionalText,
  entities: z.object({ url: links, description: links }).nullish().catch(null),
  public_metrics: z
    .object({
      followers_count: optionalCount,
      following_count: optionalCount,
      tweet_count: optionalCount,
      post_count: optionalCount,
      listed_count: optionalCount,
    })
    .nullish()
    .catch(null),
})

/** What every microblog tool says about an account. */
export const User = z.object({
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
export type User = z.output<typeof User>

/** One account. Throws `upstream_error` for what has no id, name and username. */
export const toUser = (data: unknown): User => inOurNames(checkVendor(VENDOR, data, VendorUser))

function inOurNames(user: z.output<typeof VendorUser>): User {
  const { public_metrics: counts, entities } = user
  const verifiedType = user.verified_type === 'none' ? null : user.verified_type || null
  return {
    userId: user.id,
    username: user.username,
    name: readable(user.name, []),
    description: user.description ? readable(user.description, entities?.description ?? []) : null,
    location: user.location ? readable(user.location, []) : null,
    url: user.url ? readable(user.url, entities?.url ?? []) : null,
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
export function usersOf({ includes }: Answer): User[] {
  const users = (includes?.users ?? []).flatMap((item) => {
    const { data } = VendorUser.safeParse(item)
    return data ? [inOurNames(data)] : []
  })
  return [...new Map(users.map((user) => [user.userId, user])).values()]
}
