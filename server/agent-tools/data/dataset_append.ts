import { z } from 'zod'
import { defineTool } from '../../tools/define'
import { ANY_ORIGIN } from '../../tools/flow'
import { runDatasetTask } from './dataset-pool'
import { GIVEN_ROWS, givenTable } from './given-table'
import { Column, DatasetName, Made } from './shape'
import { changeDataset, isMadeIn } from './store'

export const datasetAppend = defineTool({
  id: 'dataset_append',
  label: 'Append to a dataset',
  capability: 'data',
  leadsTo: ['dataset_query'],
  description:
    'Adds rows to a dataset: given ones, with fromStep all that a tool returned, or with fromFile those of a file. New columns are added; a row ' +
    'without a value for a column is empty there.',
  params: z.strictObject({
    name: DatasetName.describe('Name of the dataset'),
    ...GIVEN_ROWS,
  }),
  output: z.object({ name: z.string(), columns: z.array(Column), rowCount: z.int(), made: Made }),
  pricing: { kind: 'fixed', credits: 0 },
  annotations: { readOnly: false, openWorld: false, idempotent: false },
  // The columns that were there before.
  flow: { reads: ({ made }) => (made ? [] : ANY_ORIGIN), failedReads: [], sink: { kind: 'inside' } },
  artifacts: ({ name }) => [{ kind: 'dataset', id: name, name }],
  available: () => true,
  async run(input, context) {
    const { name } = input
    const { ownerId, run, hasReadUntrusted: foreignText = false } = context
    const given = await givenTable(input, context)
    const changed = await changeDataset({ ownerId, name, foreignText, run }, async (to) => {
      const { table } = await runDatasetTask({ kind: 'append', to, given }, context)
      return table
    })
    return { name, columns: changed.columns, rowCount: changed.rowCount, made: isMadeIn(run, changed) }
  },
})
