import type { ProviderContext } from '../provider'
import { fetchMicroblog, type MicroblogResponse } from './client'
import type { MicroblogSubject } from './errors'
import { POST_QUERY } from './posts'

/** Minimum page size of a search. */
export const MIN_SEARCH_ROWS = 10

type MicroblogQuery = {
  query: string
  page: { maxResults: string; token?: string | undefined }
  order?: 'relevancy' | 'recency'
  subject: MicroblogSubject
}

/**
 * Posts of the last seven days, https://docs.x.com/x-api/posts/search-recent-posts: 10 to 100,
 * paged by next_token. Throws `upstream_error`.
 */
export const searchMicroblogPosts = (
  context: ProviderContext,
  { query, page, order, subject }: MicroblogQuery,
): Promise<MicroblogResponse> => {
  const params = { ...POST_QUERY, query, max_results: page.maxResults, next_token: page.token, sort_order: order }
  return fetchMicroblog(context, '/2/tweets/search/recent', params, subject)
}
