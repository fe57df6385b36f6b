import { z } from 'zod'
import { hostFile } from '../../files/put'
import { hostedArtifact } from '../../tools/artifact'
import { defineTool } from '../../tools/define'
import { runDatasetTask } from './dataset-pool'
import { DatasetName, Made, ownData } from './shape'
import { findDataset, isMadeIn, loadDataset } from './store'

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
  output: z.object({ url: z.string(), bytes: z.int(), rowCount: z.int(), made: Made, foreignText: z.boolean() }),
  pricing: { kind: 'fixed', credits: 0 },
  annotations: { readOnly: false, openWorld: false, idempotent: false },
  flow: {
    reads: (dataset) => ownData([dataset]),
    failedReads: [],
    sink: {
      kind: 'link',
      async outgoing({ name, format }, { ownerId, run }) {
        const dataset = await findDataset(ownerId, name)
        return (
          dataset && {
            to: `dataset ${name}`,
            summary: `Make a public link to the dataset ${name} as ${format.toUpperCase()}. Everybody who gets the link can read all of its ${dataset.rowCount} rows.`,
            texts: [],
            carries: ownData([{ ...dataset, made: isMadeIn(run, dataset) }]),
          }
        )
      },
    },
  },
  artifacts: ({ url }, { name, format }) => [hostedArtifact('file', url, `${name}.${format}`)],
  available: () => true,
  async run({ name, format }, context) {
    const { ownerId, run } = context
    const table = await loadDataset(ownerId, name)
    const { bytes } = await runDatasetTask({ kind: 'export', table, format }, context)
    const contentType = format === 'json' ? 'application/json' : 'text/csv'
    const { url } = await hostFile({ ownerId, bytes, contentType })
    return {
      url,
      bytes: bytes.byteLength,
      rowCount: table.rowCount,
      made: isMadeIn(run, table),
      foreignText: table.foreignText,
    }
  },
})
