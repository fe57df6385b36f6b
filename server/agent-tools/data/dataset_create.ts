import { z } from 'zod'
import { defineTool } from '../../tools/define'
import { STAYS_INSIDE } from '../../tools/flow'
import { runDatasetTask } from './dataset-pool'
import { GIVEN_ROWS, givenTable } from './given-table'
import { replacedRows } from './replaced-rows'
import { Column, DatasetName } from './shape'
import { findDataset, isMadeBy, saveDataset } from './store'

const Input = z.strictObject({
  name: DatasetName.describe('Name of the dataset, which is its table name in queries'),
  ...GIVEN_ROWS,
  csv: z.string().max(16_000_000).optional().describe('Rows as CSV with a header line, instead of rows'),
})

export const datasetCreate = defineTool({
  id: 'dataset_create',
  label: 'Create a dataset',
  capability: 'data',
  leadsTo: ['dataset_query', 'dataset_export', 'dataset_append'],
  description:
    'Stores rows as a named dataset of the owner, for queries now and in later conversations. To store what a tool ' +
    'returned, give fromStep: all rows of that result are copied, however many; fromFile takes a file of the shell. With the name of an existing dataset it ' +
    "replaces that dataset, which needs a person's approval unless this run made it; dataset_append adds rows instead.",
  params: Input,
  output: z.object({ name: z.string(), columns: z.array(Column), rowCount: z.int(), replaced: z.boolean() }),
  pricing: { kind: 'fixed', credits: 0 },
  annotations: { readOnly: false, openWorld: false, idempotent: true },
  flow: STAYS_INSIDE,
  artifacts: ({ name }) => [{ kind: 'dataset', id: name, name }],
  available: () => true,
  async asks({ name, ...input }, caller) {
    const { ownerId, run } = caller
    const existing = await findDataset(ownerId, name)
    if (!existing || isMadeBy(run, existing)) return null
    return {
      summary: `Replace the dataset ${name}, which has ${existing.rowCount} rows.`,
      reason: 'Its rows cannot be restored.',
      needs: [{ kind: 'datasets', name }],
      effect: () => replacedRows(name, () => givenTable(input, caller), caller),
    }
  },
  async run(input, context) {
    const { ownerId, run, approved = false, hasReadUntrusted: foreignText } = context
    const { table } = await runDatasetTask({ kind: 'pack', given: await givenTable(input, context) }, context)
    const { name, columns, rowCount, replaced } = await saveDataset({
      ...{ ownerId, run, foreignText },
      ...{ name: input.name, table, mayReplace: approved },
    })
    return { name, columns, rowCount, replaced }
  },
})
