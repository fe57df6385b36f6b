import { z } from 'zod'
import { defineTool } from '../define'
import { READS_FOREIGN_TEXT } from '../flow'
import { searchBrave } from './brave'
import { searchSearxng } from './searxng'
import { webSettings } from './settings'

const MAX_WORDS = 50

export const webSearch = defineTool({
  id: 'web_search',
  label: 'Web search',
  capability: 'web',
  isFirst: true,
  description:
    'Searches the web and returns a ranked list of pages with title, URL and a short snippet. The field content is always ' +
    'empty: read a page with web_read_url.',
  params: z.strictObject({
    query: z
      .string()
      .trim()
      .min(1)
      .max(400)
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
  }),
  example: { query: 'toll roads in the alps' },
  output: z.object({
    rows: z.array(z.object({ title: z.string(), url: z.string(), snippet: z.string(), content: z.literal('') })),
    nextCursor: z.null(),
  }),
  pricing: { kind: 'fixed', credits: 1 },
  annotations: { readOnly: true, openWorld: true, idempotent: true },
  flow: { ...READS_FOREIGN_TEXT, offers: ({ rows }) => ({ texts: rows.map(({ url }) => url) }) },
  available: () => Boolean(webSettings().BRAVE_SEARCH_API_KEY || webSettings().SEARXNG_URL),
  async run(input, context) {
    const search = webSettings().BRAVE_SEARCH_API_KEY ? searchBrave : searchSearxng
    return { rows: await search(context, input), nextCursor: null }
  },
})
