import { z } from 'zod'
import { needsApproval } from '../../errors'
import { defineTool } from '../../tools/define'
import { STAYS_INSIDE } from '../../tools/flow'
import { replacedRows } from './replaced-rows'
import { DatasetName } from './shape'
import { deleteDataset, findDataset, isMadeBy } from './store'

export const datasetDelete = defineTool({
  id: 'dataset_delete',
  label: 'Delete a dataset',
  capability: 'data',
  description: "Deletes a dataset permanently. This needs a person's approval unless this run made it.",
  params: z.strictObject({ name: DatasetName.describe('Name of the dataset') }),
  output: z.object({ deleted: z.boolean().describe('false: there was no such dataset') }),
  pricing: { kind: 'fixed', credits: 0 },
  annotations: { readOnly: false, openWorld: false, idempotent: true },
  flow: STAYS_INSIDE,
  available: () => true,
  async asks({ name }, caller) {
    const { ownerId, run } = caller
    const existing = await findDataset(ownerId, name)
    if (!existing || isMadeBy(run, existing)) return null
    return {
      summary: `Delete the dataset ${name} with its ${existing.rowCount} rows.`,
      reason: 'It cannot be restored.',
      effect: () => replacedRows(name, () => null, caller),
    }
  },
  async run({ name }, { ownerId, run, approved = false }) {
    if (approved) return { deleted: await deleteDataset(ownerId, name) }
    if (run && (await deleteDataset(ownerId, name, run))) return { deleted: true }
    if (await findDataset(ownerId, name)) throw needsApproval(`Deleting the dataset ${name}`)
    return { deleted: false }
  },
})
