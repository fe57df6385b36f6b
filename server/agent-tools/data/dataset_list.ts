import { z } from 'zod'
import { defineTool } from '../../tools/define'
import { Column } from './shape'
import { listDatasets } from './store'

export const datasetList = defineTool({
  id: 'dataset_list',
  label: 'List datasets',
  capability: 'data',
  description: "Lists the owner's datasets with their columns and row counts.",
  params: z.strictObject({}),
  output: z.object({
    rows: z.array(
      z.object({
        name: z.string(),
        columns: z.array(Column),
        rowCount: z.int(),
        foreignText: z.boolean().describe('Written by a run that had read pages, posts or other text by strangers'),
        createdAt: z.string(),
        updatedAt: z.string(),
      }),
    ),
    nextCursor: z.null(),
  }),
  pricing: { kind: 'fixed', credits: 0 },
  annotations: { readOnly: true, openWorld: false, idempotent: true },
  exposure: {
    untrusted: ({ rows }) => rows.some(({ foreignText }) => foreignText),
    private: ({ rows }, made) => rows.some(({ name }) => !made.has(name)),
    sends: null,
  },
  available: () => true,
  run: async (_input, { ownerId }) => ({ rows: await listDatasets(ownerId), nextCursor: null }),
})
