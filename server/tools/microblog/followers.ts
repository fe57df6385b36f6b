import { z } from 'zod'
import type { ToolContext } from '../define'
import { checkVendor } from '../vendor'
import { nextCursor, pageFrom } from './paging'
import { VENDOR } from './refusal'
import { getMicroblog } from './upstream'
import { toUser, USER_FIELDS, User } from './users'

export const FollowerList = z.object({ rows: z.array(User), nextCursor })

const PAGE = 100

/**
 * A page of an account's followers, newest first: https://docs.x.com/x-api/users/get-followers, paged by
 * pagination_token; there is no filter for verified accounts. Throws `upstream_error`.
 */
export async function fetchFollowers(context: ToolContext, userId: string, cursor: string | undefined) {
  const { maxResults, token } = pageFrom(cursor, PAGE, PAGE)
  const asked = { 'user.fields': USER_FIELDS, max_results: maxResults, pagination_token: token }
  const answer = await getMicroblog(context, `/2/users/${userId}/followers`, asked, { kind: 'user', name: userId })
  const users = checkVendor(VENDOR, answer.data ?? [], z.array(z.unknown()))
  return { rows: users.map(toUser), nextCursor: answer.meta?.next_token || null }
}
