import { z } from 'zod'
import { defineTool } from '../../tools/define'
import { READS_NOTHING } from '../../tools/exposure'
import { runDatasetTask } from './dataset-pool'
import { Column, DatasetName, RowsInput } from './shape'
import { changeDataset } from './store'

export const datasetAppend = defineTool({
  id: 'dataset_append',
  label: 'Append to a dataset',
  capability: 'data',
  description: 'Adds rows to a dataset. New columns are added; a row without a value for a column is empty there.',
  params: z.strictObject({
    name: DatasetName.describe('Name of the dataset'),
    rows: RowsInput.min(1).describe('Rows as objects'),
  }),
  output: z.object({ name: z.string(), columns: z.array(Column), rowCount: z.int() }),
  pricing: { kind: 'fixed', credits: 0 },
  annotations: { readOnly: false, openWorld: false, idempotent: false },
  exposure: READS_NOTHING,
  artifacts: ({ name }) => [{ kind: 'dataset', id: name, name }],
  available: () => true,
  async run({ name, rows }, context) {
    const { ownerId, hasReadUntrusted: foreignText = false } = context
    const { columns, rowCount } = await changeDataset({ ownerId, name, foreignText }, async (to) => {
      const { table } = await runDatasetTask({ kind: 'append', to, given: { rows } }, context)
      return table
    })
    return { name, columns, rowCount }
  },
})
