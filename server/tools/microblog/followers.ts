import { z } from 'zod'
import { type ProviderContext, parseProviderValue } from '../provider'
import { fetchMicroblog } from './client'
import { MICROBLOG_PROVIDER } from './errors'
import { MicroblogNextCursor, toPageRequest } from './paging'
import { MicroblogUserRow, readMicroblogUser, USER_FIELDS } from './users'

export const FollowerPage = z
  .object({
    rows: z.array(MicroblogUserRow),
    nextCursor: MicroblogNextCursor,
    note: z.string().nullable().describe('Why a page is empty; null where it is not'),
  })
  .meta({ title: 'MicroblogUserPage' })

const PAGE_SIZE = 100

/**
 * A page of an account's followers, newest first: https://docs.x.com/x-api/users/get-followers,
 * paged by pagination_token; there is no filter for verified accounts. Throws `upstream_error`.
 */
export async function fetchFollowers(context: ProviderContext, userId: string, cursor: string | undefined) {
  const { maxResults, token } = toPageRequest(cursor, PAGE_SIZE, PAGE_SIZE)
  const query = { 'user.fields': USER_FIELDS, max_results: maxResults, pagination_token: token }
  const response = await fetchMicroblog(context, `/2/users/${userId}/followers`, query, { kind: 'user', name: userId })
  const users = parseProviderValue(MICROBLOG_PROVIDER, response.data ?? [], z.array(z.unknown()))
  return { rows: users.map(readMicroblogUser), nextCursor: response.meta?.next_token || null }
}

/** A page with the reason where it has no rows. `read`: how many followers it was made of. */
export function explainEmptyPage<P extends { rows: unknown[]; nextCursor: string | null }>(page: P, read: number) {
  if (page.rows.length > 0) return { ...page, note: null }
  const end =
    page.nextCursor === null ? 'This is the last page.' : 'Later pages may have some: pass nextCursor as cursor.'
  const why =
    read > 0
      ? `None of the ${read} followers of this page is verified.`
      : 'The provider lists no followers here: the account has none, or their accounts are suspended or deleted.'
  return { ...page, note: `${why} ${end}` }
}
