import { z } from 'zod'
import { invalidRequest } from '../../errors'
import { defineTool } from '../../tools/define'
import { READS_NOTHING } from '../../tools/exposure'
import { runDatasetTask } from './dataset-pool'
import type { TableInput } from './dataset-tasks'
import { Column, DatasetName, RowsInput } from './shape'
import { findDataset, saveDataset } from './store'

const Input = z.strictObject({
  name: DatasetName.describe('Name of the dataset, which is its table name in queries'),
  rows: RowsInput.optional().describe('Rows as objects; their keys become columns'),
  csv: z.string().max(16_000_000).optional().describe('Rows as CSV with a header line, instead of rows'),
})

/**
 * The table in an input. Throws `invalid_request` unless it has exactly one of `rows` and `csv`.
 */
function givenIn({ rows, csv }: z.output<typeof Input>): TableInput {
  if ((rows === undefined) === (csv === undefined))
    throw invalidRequest([{ path: ['rows'], message: 'Give either rows or csv' }])
  return rows ? { rows } : { csv: csv ?? '' }
}

export const datasetCreate = defineTool({
  id: 'dataset_create',
  label: 'Create a dataset',
  capability: 'data',
  description:
    'Stores rows as a named dataset of the owner, for queries now and in later conversations. With the name of an ' +
    "existing dataset it replaces that dataset, which needs a person's approval; dataset_append adds rows instead.",
  params: Input,
  output: z.object({ name: z.string(), columns: z.array(Column), rowCount: z.int(), replaced: z.boolean() }),
  pricing: { kind: 'fixed', credits: 0 },
  annotations: { readOnly: false, openWorld: false, idempotent: true },
  exposure: READS_NOTHING,
  artifacts: ({ name }) => [{ kind: 'dataset', id: name, name }],
  available: () => true,
  async asks({ name }, { ownerId }) {
    const existing = await findDataset(ownerId, name)
    if (!existing) return null
    return {
      summary: `Replace the dataset ${name}, which has ${existing.rowCount} rows.`,
      reason: 'Its rows cannot be restored.',
    }
  },
  async run(input, context) {
    const { ownerId, approved = false, hasReadUntrusted: foreignText } = context
    const { table } = await runDatasetTask({ kind: 'pack', given: givenIn(input) }, context)
    const replaced = (await findDataset(ownerId, input.name)) !== null
    const { name, columns, rowCount } = await saveDataset({
      ownerId,
      name: input.name,
      table,
      mayReplace: approved,
      foreignText,
    })
    return { name, columns, rowCount, replaced }
  },
})
