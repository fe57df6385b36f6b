import { z } from 'zod'

/** The vendor's token; or ours, `<rows to skip>.<token>`, where a page of theirs was more than was asked for. */
const CURSOR = /^(?:(\d{1,4})\.)?([\w=+/~-]{0,400})$/

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
  .describe('Give it as cursor for the next page; null on the last')

type Page = { maxResults: string; token: string | undefined; skip: number; limit: number }

/** What to ask for so that `limit` rows from `cursor` on are in the answer, which holds `least` to 100 rows. */
export function toPageRequest(cursor: string | undefined, limit: number, least: number): Page {
  const [, skipped, token] = CURSOR.exec(cursor ?? '') ?? []
  const skip = Number(skipped ?? 0)
  const maxResults = String(Math.min(Math.max(skip + limit, least), 100))
  return { maxResults, token: token || undefined, skip, limit }
}

/** The rows of the page asked for; the next one begins after them, in the same answer if it has more. */
export function cutMicroblogPage<T>(all: T[], { skip, limit, token }: Page, nextToken: string | null | undefined) {
  const rows = all.slice(skip, skip + limit)
  const isCut = all.length > skip + limit
  return { rows, nextCursor: isCut ? `${skip + limit}.${token ?? ''}` : nextToken || null }
}
