import { z } from 'zod'
import { defineTool } from '../define'
import { READS_FOREIGN_TEXT } from '../flow'
import { isMicroblogConfigured } from './client'
import { toPageRequest } from './paging'
import { RowLimit } from './params'
import { MICROBLOG_COLUMNS, MicroblogPostRow, readMicroblogPosts } from './posts'
import { KNOWN_FILTERS, toSearchOperators, unknownFilters } from './query'
import { MIN_SEARCH_ROWS, searchMicroblogPosts } from './search-posts'
import { MicroblogUserRow } from './users'

const SearchType = z.enum(['Top', 'Latest', 'People', 'Photos', 'Videos'])
type SearchType = z.output<typeof SearchType>

/** What each type adds to the query, and the order of its results. */
const TYPES: Record<SearchType, { only?: string; order: 'relevancy' | 'recency' }> = {
  Top: { order: 'relevancy' },
  Latest: { order: 'recency' },
  People: { order: 'relevancy' },
  Photos: { only: 'has:images', order: 'recency' },
  Videos: { only: 'has:videos', order: 'recency' },
}

export const microblogSearch = defineTool({
  id: 'microblog_search',
  label: 'Microblog search',
  capability: 'dataApi',
  isFirst: 'listed',
  leadsTo: ['microblog_user', 'microblog_post_comments'],
  description:
    'Searches the X posts of the last seven days. Top returns the most relevant posts, Latest the newest, Photos and ' +
    'Videos those with such media, People the accounts behind the most relevant posts. Accounts are listed once, in users.',
  params: z.strictObject({
    query: z
      .string()
      .trim()
      .min(1)
      .max(4096)
      .superRefine((query, check) => {
        for (const word of unknownFilters(query)) {
          check.addIssue({ code: 'custom', message: `does not support filter:${word}. It supports: ${KNOWN_FILTERS}` })
        }
      })
      .describe('What to search for; operators such as from:, lang: and filter:links may be part of it'),
    limit: RowLimit.describe('Maximum number of rows').meta({ required: true }),
    searchType: SearchType.default('Top').describe('What to look for').meta({ required: true }),
  }),
  example: { query: 'tea filter:links' },
  columns: MICROBLOG_COLUMNS,
  output: z.object({
    rows: z.array(z.union([MicroblogPostRow, MicroblogUserRow])).describe('Posts; accounts for People'),
    users: z.array(MicroblogUserRow).describe('Accounts of the posts; empty for People'),
    nextCursor: z.null(),
  }),
  pricing: { kind: 'fixed', credits: 15 },
  annotations: { readOnly: true, openWorld: true, idempotent: true },
  flow: READS_FOREIGN_TEXT,
  available: isMicroblogConfigured,
  /**
   * The search for accounts, /2/users/search, needs a signed-in user, so authors are collected
   * instead.
   */
  async run({ query, limit, searchType }, context) {
    const { only, order } = TYPES[searchType]
    const operators = toSearchOperators(query)
    const isPeople = searchType === 'People'
    const response = await searchMicroblogPosts(context, {
      query: only ? `(${operators}) ${only}` : operators,
      page: toPageRequest(undefined, isPeople ? 2 * limit : limit, MIN_SEARCH_ROWS),
      order,
      subject: { kind: 'search', name: query },
    })
    const { posts, users } = readMicroblogPosts(response)
    if (!isPeople) return { rows: posts.slice(0, limit), users, nextCursor: null }
    const byId = new Map(users.map((user) => [user.userId, user]))
    const authors = [...new Set(posts.map((post) => post.authorId ?? ''))].flatMap((id) => byId.get(id) ?? [])
    return { rows: authors.slice(0, limit), users: [], nextCursor: null }
  },
})
