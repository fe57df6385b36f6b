import { z } from 'zod'
import { defineTool } from '../define'
import { READS_FOREIGN_TEXT } from '../flow'
import { hasDataApiKey } from './data-api'
import { searchDataApi } from './data-api-search'
import { searchInnertube, UPLOADED_WITHIN } from './innertube-search'
import { VideoSearchRow } from './shape'

export const videositeSearch = defineTool({
  id: 'videosite_search',
  label: 'Video search',
  capability: 'dataApi',
  isFirst: 'listed',
  leadsTo: ['videosite_video_info', 'videosite_transcript', 'videosite_comments'],
  description: 'Searches YouTube for videos and returns the best matches, up to 50, in one list.',
  params: z.strictObject({
    query: z.string().trim().min(1).max(500).describe('What to search for, at most 500 characters'),
    limit: z
      .number()
      .multipleOf(1, 'must be a whole number')
      .min(1)
      .max(50)
      .default(10)
      .describe('Maximum number of videos')
      .meta({ required: true }),
    lang: z
      .string()
      .trim()
      .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})?$/, 'must be a language code such as en')
      .optional()
      .describe('Language to prefer: a code such as en, es or pt-BR'),
    orderBy: z.enum(UPLOADED_WITHIN).optional().describe('Only videos uploaded in this time span'),
    country: z
      .string()
      .trim()
      .regex(/^[A-Za-z]{2}$/, 'must be a two-letter country code such as us')
      .transform((code) => code.toUpperCase())
      .optional()
      .describe('Search as from this country: a lowercase two-letter code such as us or es'),
  }),
  example: { query: 'reading a tide table' },
  output: z.object({
    rows: z.array(VideoSearchRow),
    nextCursor: z.null().describe('A search is one list: there is no next page'),
    continuationToken: z.null().describe('The same'),
  }),
  pricing: { kind: 'fixed', credits: 15 },
  annotations: { readOnly: true, openWorld: true, idempotent: true },
  flow: READS_FOREIGN_TEXT,
  available: () => true,
  async run({ orderBy, ...input }, context) {
    const asked = { ...input, uploaded: orderBy }
    const rows = hasDataApiKey() ? await searchDataApi(context, asked) : await searchInnertube(context, asked)
    return { rows, nextCursor: null, continuationToken: null }
  },
})
