import { z } from 'zod'
import type { ToolContext } from '../define'
import { checkProviderData } from '../provider'
import { fetchMicroblog } from './client'
import { MICROBLOG_PROVIDER } from './errors'
import { MicroblogNextCursor, toPageRequest } from './paging'
import { MicroblogUserRow, readMicroblogUser, USER_FIELDS } from './users'

export const FollowerPage = z.object({ rows: z.array(MicroblogUserRow), nextCursor: MicroblogNextCursor })

const PAGE = 100

/**
 * A page of an account's followers, newest first: https://docs.x.com/x-api/users/get-followers, paged by
 * pagination_token; there is no filter for verified accounts. Throws `upstream_error`.
 */
export async function fetchFollowers(context: ToolContext, userId: string, cursor: string | undefined) {
  const { maxResults, token } = toPageRequest(cursor, PAGE, PAGE)
  const asked = { 'user.fields': USER_FIELDS, max_results: maxResults, pagination_token: token }
  const answer = await fetchMicroblog(context, `/2/users/${userId}/followers`, asked, { kind: 'user', name: userId })
  const users = checkProviderData(MICROBLOG_PROVIDER, answer.data ?? [], z.array(z.unknown()))
  return { rows: users.map(readMicroblogUser), nextCursor: answer.meta?.next_token || null }
}
