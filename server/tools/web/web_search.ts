import { z } from 'zod'
import { defineTool } from '../define'
import { READS_FOREIGN_TEXT } from '../flow'
import { pageCursor, pageNumber, pageOf } from '../paging'
import { searchBrave } from './brave'
import { searchSearxng } from './searxng'
import { webSettings } from './settings'

const MAX_WORDS = 50
const MAX_LENGTH = 400
const MAX_PAGE = 10

export const webSearch = defineTool({
  id: 'web_search',
  label: 'Web search',
  capability: 'web',
  isFirst: 'defined',
  description:
    'Searches the web and returns a ranked list of pages with title, URL and a short snippet. The field content is always ' +
    'empty: read a page with web_read_url.',
  params: z
    .strictObject({
      query: z
        .string()
        .trim()
        .min(1)
        .max(MAX_LENGTH)
        .refine((text) => text.split(/\s+/).length <= MAX_WORDS, `must have at most ${MAX_WORDS} words`)
        .describe('What to search for, at most 400 characters and 50 words'),
      country: z
        .string()
        .trim()
        .regex(/^[A-Za-z]{2}$/, 'must be a two-letter ISO country code such as us')
        .optional()
        .describe('Two-letter ISO country code; set it only for region-specific queries'),
      language: z
        .string()
        .trim()
        .regex(/^[A-Za-z]{2}$/, 'must be a two-letter ISO language code such as en')
        .optional()
        .describe('Two-letter ISO language code'),
      location: z
        .string()
        .trim()
        .min(1)
        .max(200)
        .regex(/^\P{Cc}*$/u, 'must be one line')
        .optional()
        .describe('City the search should seem to come from, as free text: "Lyon" or "Austin, Texas"'),
      site: z
        .string()
        .trim()
        .toLowerCase()
        .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'must be a host such as example.com')
        .max(100)
        .optional()
        .describe('Only pages of this host, such as example.com'),
      freshness: z
        .enum(['day', 'week', 'month', 'year'])
        .optional()
        .describe('Only pages that the search engine dates within the last day, week, month or year'),
      page: pageNumber(z.int().min(1).max(MAX_PAGE).default(1)).describe(
        'Which page of results; nextCursor is the next one',
      ),
      cursor: pageCursor('page').refine((cursor) => Number(cursor ?? 1) <= MAX_PAGE, 'must be a nextCursor'),
    })
    .refine(
      ({ query, site = '' }) => query.length + site.length <= MAX_LENGTH - ' site:'.length * Number(site !== ''),
      {
        path: ['query'],
        message: `must have at most ${MAX_LENGTH} characters together with site`,
      },
    ),
  example: { query: 'toll roads in the alps' },
  output: z.object({
    rows: z.array(z.object({ title: z.string(), url: z.string(), snippet: z.string(), content: z.literal('') })),
    nextCursor: z.string().nullable().describe('Pass it as page for the next page; null on the last'),
  }),
  pricing: { kind: 'fixed', credits: 1 },
  annotations: { readOnly: true, openWorld: true, idempotent: true },
  flow: { ...READS_FOREIGN_TEXT, offers: ({ rows }) => ({ texts: rows.map(({ url }) => url) }) },
  available: () => Boolean(webSettings().BRAVE_SEARCH_API_KEY || webSettings().SEARXNG_URL),
  async run({ site, cursor, page: own, query, ...input }, context) {
    const search = webSettings().BRAVE_SEARCH_API_KEY ? searchBrave : searchSearxng
    const page = pageOf(cursor, own)
    const whole = site === undefined ? query : `${query} site:${site}`
    const { rows, hasMore } = await search(context, { ...input, query: whole, page })
    return { rows, nextCursor: hasMore && page < MAX_PAGE ? String(page + 1) : null }
  },
})
