import { z } from 'zod'

/** Names have at most 15 characters since 2010; older ones may be longer. */
const USERNAME = /^@?([A-Za-z0-9_]{1,30})$/
const POST_URL =
  /^(?:https?:\/\/)?(?:[a-z]+\.)?(?:x|twitter)\.com\/(?:\w+|i\/web)\/status(?:es)?\/(\d{1,19})(?:[/?#]\S*)?$/i

export const MicroblogUsername = z
  .string()
  .trim()
  .regex(USERNAME, 'must be a user name of letters, digits and _')
  .transform((name) => USERNAME.exec(name)?.[1] ?? name)

export const MicroblogUserId = z
  .string()
  .trim()
  .regex(/^\d{1,19}$/, 'must be the numeric id that microblog_user returns as userId, not the handle')

/** The number, or a URL that ends in it. */
export const MicroblogPostId = z
  .string()
  .trim()
  .refine(
    (text) => /^\d{1,19}$/.test(text) || POST_URL.test(text),
    'must be the number at the end of the URL of a post',
  )
  .transform((text) => POST_URL.exec(text)?.[1] ?? text)

/** The contract lists it as required; a call without it uses the default. */
export const RowLimit = z.number().multipleOf(1, 'must be a whole number').min(1).max(40).default(20)
