import { z } from 'zod'
import { defineTool } from '../../tools/define'
import { Column, Made, ownData } from './shape'
import { isMadeIn, listDatasets } from './store'

export const datasetList = defineTool({
  id: 'dataset_list',
  label: 'List datasets',
  capability: 'data',
  isFirst: 'listed',
  leadsTo: ['dataset_query'],
  description: "Lists the owner's datasets with their columns and row counts.",
  params: z.strictObject({}),
  output: z.object({
    rows: z.array(
      z.object({
        name: z.string(),
        columns: z.array(Column),
        rowCount: z.int(),
        made: Made,
        foreignText: z.boolean().describe('Written by a run that had read pages, posts or other text by strangers'),
        createdAt: z.string(),
        updatedAt: z.string(),
      }),
    ),
    nextCursor: z.null(),
  }),
  pricing: { kind: 'fixed', credits: 0 },
  annotations: { readOnly: true, openWorld: false, idempotent: true },
  flow: { reads: ({ rows }) => ownData(rows), sink: { kind: 'inside' } },
  available: () => true,
  async run(_input, { ownerId, run }) {
    const datasets = await listDatasets(ownerId)
    return {
      rows: datasets.map(({ runId, ...rest }) => ({ ...rest, made: isMadeIn(run, { runId }) })),
      nextCursor: null,
    }
  },
})
