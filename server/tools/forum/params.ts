import { domainToASCII } from 'node:url'
import { z } from 'zod'

/** A JSON Schema "number" that must be whole: the contract lists these as numbers. */
const wholeNumber = z.number().multipleOf(1, 'must be a whole number')

const COMMUNITY = /^(?:\/?r\/)?([A-Za-z0-9_]{2,30}|u_[A-Za-z0-9_-]{1,30})$/i
const USERNAME = /^(?:\/?u(?:ser)?\/|@)?([A-Za-z0-9_-]{1,30})$/i

/** A name without its prefix, such as r/ or u/. */
const withoutPrefix = (pattern: RegExp) => (name: string) => pattern.exec(name)?.[1] ?? name

export const CommunityName = z
  .string()
  .trim()
  .regex(COMMUNITY, 'must be the name of one community, such as sailing')
  .transform(withoutPrefix(COMMUNITY))
export const ForumUsername = z
  .string()
  .trim()
  .regex(USERNAME, 'must be a user name of letters, digits, - and _')
  .transform(withoutPrefix(USERNAME))

const NOT_A_DOMAIN = 'must be a domain such as example.com, without https:// or a path'
const DOMAIN = /^(?=.{3,253}$)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})+$/

/** Reddit knows domains in lowercase and in Punycode. */
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
export const PostLimit = wholeNumber.min(1).max(100).default(25).describe('Posts per page')
export const CommentLimit = wholeNumber.min(1).max(100).default(30).describe('Maximum number of comments')
export const CommentDepth = wholeNumber.min(1).max(10).default(3).describe('Maximum depth of replies')
/** A thing's full name: for anything else Reddit returns its first page. */
const FULL_NAME = /^t[1-9]_[a-z0-9]{1,16}$/
const FullName = z.string().trim().regex(FULL_NAME, 'must be nextCursor of the previous page').optional()

/** Where a page begins, under both names. */
export const AfterParams = {
  after: FullName.describe('nextCursor of the previous page'),
  cursor: FullName.describe('The same as after'),
}

/** Only these two orders take a time span. */
export const timeSpanFor = <T extends string>(sort: string, timeSpan: T | undefined): T | undefined =>
  sort === 'top' || sort === 'controversial' ? timeSpan : undefined
