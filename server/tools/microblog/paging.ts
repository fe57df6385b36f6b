import { z } from 'zod'

/**
 * The provider's token; or `<rows to skip>.<token>`, where its page held more rows than the caller
 * wanted.
 */
const CURSOR = /^(?:(\d{1,4})\.)?((?=[\w=+/~-]*\d)[\w=+/~-]{4,400}|(?<=\.))$/

export const MicroblogCursor = z
  .string()
  .trim()
  .min(1)
  .regex(CURSOR, 'must be nextCursor of the previous page')
  .optional()
  .describe('nextCursor of the previous page')

export const MicroblogNextCursor = z
  .string()
  .nullable()
  .describe('Pass it as cursor for the next page; null on the last')

type Page = { maxResults: string; token: string | undefined; skip: number; limit: number }

/**
 * The provider's page that holds the `limit` rows after `cursor`. Its pages have `minRows` to 100
 * rows.
 */
export function toPageRequest(cursor: string | undefined, limit: number, minRows: number): Page {
  const [, skipped, token] = CURSOR.exec(cursor ?? '') ?? []
  const skip = Number(skipped ?? 0)
  const maxResults = String(Math.min(Math.max(skip + limit, minRows), 100))
  return { maxResults, token: token || undefined, skip, limit }
}

/**
 * The rows of a requested page, and the cursor after them: into the same provider's page if it has
 * more rows.
 */
export function cutMicroblogPage<T>(all: T[], { skip, limit, token }: Page, nextToken: string | null | undefined) {
  const rows = all.slice(skip, skip + limit)
  const isCut = all.length > skip + limit
  return { rows, nextCursor: isCut ? `${skip + limit}.${token ?? ''}` : nextToken || null }
}
