import { z } from 'zod'
import { hostFile } from '../../files/put'
import { hostedArtifact } from '../../tools/artifact'
import { defineTool } from '../../tools/define'
import { READS_NOTHING } from '../../tools/exposure'
import { runDatasetTask } from './dataset-pool'
import { DatasetName } from './shape'
import { loadDataset } from './store'

export const datasetExport = defineTool({
  id: 'dataset_export',
  label: 'Export a dataset',
  capability: 'data',
  description:
    'Writes a dataset to a file and returns its permanent public URL: anyone with the URL can read the file.',
  params: z.strictObject({
    name: DatasetName.describe('Name of the dataset'),
    format: z.enum(['csv', 'json']).default('csv').describe('Format of the file'),
  }),
  output: z.object({ url: z.string(), bytes: z.int(), rowCount: z.int() }),
  pricing: { kind: 'fixed', credits: 0 },
  annotations: { readOnly: false, openWorld: false, idempotent: false },
  // The file's URL cannot be guessed, and only this run gets it.
  exposure: READS_NOTHING,
  artifacts: ({ url }, { name, format }) => [hostedArtifact('file', url, `${name}.${format}`)],
  available: () => true,
  async run({ name, format }, context) {
    const { ownerId } = context
    const table = await loadDataset(ownerId, name)
    const { bytes } = await runDatasetTask({ kind: 'export', table, format }, context)
    const contentType = format === 'json' ? 'application/json' : 'text/csv'
    const { url } = await hostFile({ ownerId, bytes, contentType })
    return { url, bytes: bytes.byteLength, rowCount: table.rowCount }
  },
})
