import { z } from 'zod'
import { defineTool } from '../../tools/define'
import { distinctNames } from './distinct-names'
import { queryDatasets } from './query-datasets'
import { Made, ownData } from './shape'
import { isMadeIn } from './store'
import { rowsAsObjects } from './table'

const cell = z.union([z.string(), z.number(), z.boolean(), z.null()])

export const datasetQuery = defineTool({
  id: 'dataset_query',
  label: 'Query datasets',
  capability: 'data',
  isFirst: 'listed',
  leadsTo: ['dataset_export'],
  description:
    "Runs one read-only SQL statement (SQLite dialect) over the owner's datasets, each a table with its name. Booleans are " +
    '0 and 1, nested values are JSON texts. Returns at most 1,000 rows.',
  params: z.strictObject({
    sql: z
      .string()
      .min(1)
      .max(100_000)
      .regex(/^[^\0]*$/, 'must not contain NUL')
      .describe('A SELECT, WITH, VALUES or EXPLAIN statement'),
  }),
  output: z.object({
    columns: z.array(z.string()),
    rows: z.array(z.record(z.string(), cell)),
    totalRows: z.int().describe('Rows returned'),
    truncated: z.boolean().describe('There were more'),
    nextCursor: z.null(),
    datasets: z
      .array(z.object({ name: z.string(), made: Made, foreignText: z.boolean() }))
      .describe('The datasets that were read'),
  }),
  pricing: { kind: 'fixed', credits: 0 },
  annotations: { readOnly: true, openWorld: false, idempotent: true },
  // Its errors quote the statement, never rows.
  flow: { reads: ({ datasets }) => ownData(datasets), failedReads: [], sink: { kind: 'inside' } },
  available: () => true,
  async run({ sql }, { ownerId, signal, run }) {
    const { columns, rows, truncated, datasets } = await queryDatasets(ownerId, sql, { signal })
    const named = distinctNames(columns)
    const table = { columns: named.map((name) => ({ name, type: 'text' as const })), rows }
    return {
      columns: named,
      rows: rowsAsObjects(table),
      totalRows: rows.length,
      truncated,
      nextCursor: null,
      datasets: datasets.map(({ name, foreignText, runId }) => ({ name, made: isMadeIn(run, { runId }), foreignText })),
    }
  },
})
