import { domainToASCII } from 'node:url'
import { z } from 'zod'

/** A JSON Schema "number" that must be whole, because the interface lists these as numbers. */
const whole = z.number().multipleOf(1, 'must be a whole number')

const COMMUNITY = /^(?:\/?r\/)?([A-Za-z0-9_]{2,30}|u_[A-Za-z0-9_-]{1,30})$/i
const USERNAME = /^(?:\/?u(?:ser)?\/|@)?([A-Za-z0-9_-]{1,30})$/i

/** The part of a name that follows its prefix, which people write all the same. */
const bare = (pattern: RegExp) => (name: string) => pattern.exec(name)?.[1] ?? name

export const CommunityName = z
  .string()
  .trim()
  .regex(COMMUNITY, 'must be the name of one community, such as sailing')
  .transform(bare(COMMUNITY))
export const ForumUsername = z
  .string()
  .trim()
  .regex(USERNAME, 'must be a user name of letters, digits, - and _')
  .transform(bare(USERNAME))

const NOT_A_DOMAIN = 'must be a domain such as example.com, without https:// or a path'
const DOMAIN = /^(?=.{3,253}$)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})+$/

/** In the form the vendor knows: lowercase, and punycode for names of other scripts. */
export const LinkedDomain = z
  .string()
  .trim()
  .max(253)
  .regex(/^[\p{L}\p{M}\p{N}._-]+$/u, NOT_A_DOMAIN)
  .transform((name) => (name.includes('_') ? name.toLowerCase() : domainToASCII(name)))
  .refine((name) => DOMAIN.test(name), NOT_A_DOMAIN)

export const CommentSort = z.enum(['best', 'top', 'new', 'controversial', 'old', 'qa'])
export const PostSort = z.enum(['hot', 'top', 'new', 'rising', 'controversial'])
export const TimeSpan = z.enum(['hour', 'day', 'week', 'month', 'year', 'all'])
export const PostLimit = whole.min(1).max(100).default(25).describe('Posts a page')
export const CommentLimit = whole.min(1).max(100).default(30).describe('Most comments to give')
export const CommentDepth = whole.min(1).max(10).default(3).describe('How many levels of answers to give')
export const AfterCursor = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be nextCursor of the previous page')
  .optional()
  .describe('nextCursor of the previous page')

/** Only these two orders look at a span of time. */
export const timeSpanFor = <T extends string>(sort: string, time: T | undefined): T | undefined =>
  sort === 'top' || sort === 'controversial' ? time : undefined
