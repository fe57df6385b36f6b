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
  csv: z.string().max(16_000_000).optional().describe('Rows as CSV with a line of names, in place of rows'),
})

/** The one table of an input. Throws `invalid_request` for both forms, or none. */
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
    'Keeps rows as a named dataset of the owner, for queries now and in later conversations. Under a name that is there ' +
    'already it replaces that dataset, which is put to a person first; dataset_append adds to one.',
  params: Input,
  output: z.object({ name: z.string(), columns: z.array(Column), rowCount: z.int(), replaced: z.boolean() }),
  pricing: { kind: 'fixed', credits: 0 },
  annotations: { readOnly: false, openWorld: false, idempotent: true },
  exposure: READS_NOTHING,
  available: () => true,
  async asks({ name }, { ownerId }) {
    const there = await findDataset(ownerId, name)
    if (!there) return null
    return {
      summary: `Replace the dataset ${name}, which has ${there.rowCount} rows.`,
      reason: 'Its rows cannot be brought back.',
    }
  },
  async run(input, context) {
    const { ownerId, approved = false, hasReadForeign: foreignText } = context
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
