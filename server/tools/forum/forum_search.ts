import { z } from 'zod'
import { defineTool } from '../define'
import { READS_FOREIGN_TEXT } from '../flow'
import { fetchForum, isForumConfigured } from './client'
import { AfterParams, CommunityName, PostLimit, TimeSpan } from './params'
import { FORUM_COLUMNS, ForumPostPage, readPostPage } from './posts'

export const forumSearch = defineTool({
  id: 'forum_search',
  label: 'Forum search',
  capability: 'dataApi',
  isFirst: 'listed',
  leadsTo: ['forum_post'],
  description: 'Searches the posts of Reddit, or of one of its communities, and returns a page of them.',
  params: z.strictObject({
    query: z.string().trim().min(1).max(512).describe('What to search for, at most 512 characters'),
    community: CommunityName.optional().describe('Search this community only: its name without r/'),
    sort: z.enum(['relevance', 'hot', 'top', 'new', 'comments']).default('relevance').describe('Order of the posts'),
    time: TimeSpan.default('all').describe('How far back'),
    limit: PostLimit,
    ...AfterParams,
  }),
  example: { query: 'rye starter' },
  columns: FORUM_COLUMNS,
  output: ForumPostPage,
  pricing: { kind: 'fixed', credits: 5 },
  annotations: { readOnly: true, openWorld: true, idempotent: true },
  flow: READS_FOREIGN_TEXT,
  available: isForumConfigured,
  /**
   * https://www.reddit.com/dev/api/#GET_search: without restrict_sr a community's search finds
   * posts of all others.
   */
  async run({ query, community, sort, time, limit, after, cursor }, context) {
    const path = community === undefined ? '/search' : `/r/${community}/search`
    const restrict_sr = community === undefined ? undefined : '1'
    const search = { q: query, restrict_sr, type: 'link', sort, t: time, limit: String(limit), after: cursor ?? after }
    const subject = { kind: community === undefined ? 'search' : 'community', name: community ?? query } as const
    return readPostPage(await fetchForum(context, path, search, subject), limit)
  },
})
