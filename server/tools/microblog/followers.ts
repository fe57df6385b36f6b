import { z } from 'zod'
import { type ProviderContext, parseProviderValue } from '../provider'
import { fetchMicroblog } from './client'
import { MICROBLOG_PROVIDER } from './errors'
import { MicroblogNextCursor, toPageRequest } from './paging'
import { MicroblogUserRow, readMicroblogUser, USER_FIELDS } from './users'

export const FollowerPage = z
  .object({ rows: z.array(MicroblogUserRow), nextCursor: MicroblogNextCursor })
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
