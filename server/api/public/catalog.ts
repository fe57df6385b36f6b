import { z } from 'zod'
import { Catalog, describeCatalog } from '../../catalog/describe'
import { catalogMarkdown } from '../../catalog/markdown'
import { openProcedure } from '../trpc'

export const catalogProcedure = openProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/catalog',
      operationId: 'getCatalog',
      protect: false,
      summary: 'List everything that can be called, with prices',
      tags: ['Catalog'],
    },
    rest: {
      bodies: { 200: Catalog },
      content: {
        'application/json': 'The catalog',
        'text/markdown': 'With `format=md`: the whole API as one document',
      },
    },
  })
  .input(
    z.object({
      format: z.enum(['json', 'md']).default('json').describe('md: the whole API as one Markdown document'),
    }),
  )
  .output(z.union([Catalog, z.string().describe('The Markdown document, with format=md')]))
  .query(({ input }) => (input.format === 'md' ? catalogMarkdown(describeCatalog()) : describeCatalog()))
