import { z } from 'zod'

/** Names are at most 15 long since 2010, older ones longer. */
const USERNAME = /^@?([A-Za-z0-9_]{1,30})$/
const STATUS =
  /^(?:https?:\/\/)?(?:[a-z]+\.)?(?:x|twitter)\.com\/(?:\w+|i\/web)\/status(?:es)?\/(\d{1,19})(?:[/?#]\S*)?$/i

export const MicroblogUsername = z
  .string()
  .trim()
  .regex(USERNAME, 'must be a user name of letters, digits and _')
  .transform((name) => USERNAME.exec(name)?.[1] ?? name)

export const MicroblogUserId = z
  .string()
  .trim()
  .regex(/^\d{1,19}$/, 'must be the numeric id that microblog_user gives as userId, not the handle')

/** The number, or an address that ends in it. */
export const MicroblogPostId = z
  .string()
  .trim()
  .refine((text) => /^\d{1,19}$/.test(text) || STATUS.test(text), 'must be the number at the end of the URL of a post')
  .transform((text) => STATUS.exec(text)?.[1] ?? text)

/** Listed as required, as the interface has it, and never refused when absent. */
export const RowLimit = z.number().multipleOf(1, 'must be a whole number').min(1).max(40).default(20)
