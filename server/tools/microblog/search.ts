import type { ToolContext } from '../define'
import { POST_QUERY } from './posts'
import type { Subject } from './refusal'
import { type Answer, getMicroblog } from './upstream'

/** Fewest posts a search gives. */
export const SEARCH_LEAST = 10

type Search = {
  query: string
  page: { maxResults: string; token?: string | undefined }
  order?: 'relevancy' | 'recency'
  subject: Subject
}

/**
 * Posts of the last seven days, https://docs.x.com/x-api/posts/search-recent-posts: 10 to 100, paged by next_token.
 * Throws `upstream_error`.
 */
export const searchPosts = (context: ToolContext, { query, page, order, subject }: Search): Promise<Answer> => {
  const asked = { ...POST_QUERY, query, max_results: page.maxResults, next_token: page.token, sort_order: order }
  return getMicroblog(context, '/2/tweets/search/recent', asked, subject)
}
