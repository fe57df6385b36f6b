import { z } from 'zod'
import { needsApproval } from '../../errors'
import { defineTool } from '../../tools/define'
import { READS_NOTHING } from '../../tools/exposure'
import { DatasetName } from './shape'
import { deleteDataset, findDataset } from './store'

export const datasetDelete = defineTool({
  id: 'dataset_delete',
  label: 'Delete a dataset',
  capability: 'data',
  description: "Deletes a dataset permanently. This needs a person's approval.",
  params: z.strictObject({ name: DatasetName.describe('Name of the dataset') }),
  output: z.object({ deleted: z.boolean().describe('false: there was no such dataset') }),
  pricing: { kind: 'fixed', credits: 0 },
  annotations: { readOnly: false, openWorld: false, idempotent: true },
  exposure: READS_NOTHING,
  available: () => true,
  async asks({ name }, { ownerId }) {
    const existing = await findDataset(ownerId, name)
    if (!existing) return null
    return {
      summary: `Delete the dataset ${name} with its ${existing.rowCount} rows.`,
      reason: 'It cannot be restored.',
    }
  },
  async run({ name }, { ownerId, approved = false }) {
    if (approved) return { deleted: await deleteDataset(ownerId, name) }
    if (await findDataset(ownerId, name)) throw needsApproval(`Deleting the dataset ${name}`)
    return { deleted: false }
  },
})
