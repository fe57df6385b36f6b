import type { ToolContext } from '../define'
import { fetchMicroblog, type MicroblogResponse } from './client'
import type { MicroblogSubject } from './errors'
import { POST_QUERY } from './posts'

/** Fewest posts a search gives. */
export const MIN_SEARCH_ROWS = 10

type Search = {
  query: string
  page: { maxResults: string; token?: string | undefined }
  order?: 'relevancy' | 'recency'
  subject: MicroblogSubject
}

/**
 * Posts of the last seven days, https://docs.x.com/x-api/posts/search-recent-posts: 10 to 100, paged by next_token.
 * Throws `upstream_error`.
 */
export const searchMicroblogPosts = (
  context: ToolContext,
  { query, page, order, subject }: Search,
): Promise<MicroblogResponse> => {
  const asked = { ...POST_QUERY, query, max_results: page.maxResults, next_token: page.token, sort_order: order }
  return fetchMicroblog(context, '/2/tweets/search/recent', asked, subject)
}
