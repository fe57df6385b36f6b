import { z } from 'zod'
import { hostFile } from '../../files/put'
import { hostedArtifact } from '../../tools/artifact'
import { defineTool } from '../../tools/define'
import type { AgentCaller, Outgoing } from '../../tools/flow'
import { runDatasetTask } from './dataset-pool'
import { rowsToExport, STEP_ROWS, type ToExport } from './export-rows'
import { GIVEN_ROWS } from './given-table'
import { datasetsIn } from './query-datasets'
import { DatasetName, Made, ownData } from './shape'
import { findDataset, isMadeIn } from './store'

const Input = z.strictObject({
  name: DatasetName.optional().describe('Name of the dataset, for all of its rows and columns'),
  fromStep: GIVEN_ROWS.fromStep.describe(
    `Instead of name: the number of an earlier step, or of several, whose rows are exported; sql reads them as the table ${STEP_ROWS}`,
  ),
  path: GIVEN_ROWS.path,
  sql: z
    .string()
    .min(1)
    .max(100_000)
    .regex(/^[^\0]*$/, 'must not contain NUL')
    .optional()
    .describe(
      `Instead of name: one SELECT (SQLite) over datasets, or over the table ${STEP_ROWS} of fromStep, for chosen columns and rows`,
    ),
  format: z.enum(['csv', 'json']).default('csv').describe('Format of the file'),
})

/** What a link would show to everybody; null: the dataset does not exist. */
async function outgoingOf(
  given: ToExport & { format: string },
  { ownerId, run }: AgentCaller,
): Promise<Outgoing | null> {
  const { name, sql, fromStep } = given
  const as = given.format.toUpperCase()
  if (name !== undefined) {
    const dataset = await findDataset(ownerId, name)
    if (!dataset) return null
    return {
      to: `dataset ${name}`,
      summary: `Make a public link to the dataset ${name} as ${as}. Everybody who gets the link can read all of its ${dataset.rowCount} rows.`,
      texts: [],
      carries: ownData([{ ...dataset, made: isMadeIn(run, dataset) }]),
    }
  }
  const datasets = sql === undefined ? [] : await datasetsIn(ownerId, sql)
  const from = [
    ...datasets.map((dataset) => `dataset ${dataset.name}`),
    ...[fromStep ?? []].flat().map((step) => `step ${step}`),
  ].join(', ')
  return {
    to: from || 'a statement',
    summary: `Make a public link to rows of ${from || 'a statement'} as ${as}${sql === undefined ? '' : `: ${sql}`}. Everybody who gets the link can read them.`,
    texts: sql === undefined ? [] : [sql],
    carries: ownData(datasets.map((dataset) => ({ ...dataset, made: isMadeIn(run, dataset) }))),
  }
}

export const datasetExport = defineTool({
  id: 'dataset_export',
  label: 'Export a dataset',
  capability: 'data',
  description:
    'Writes a CSV or JSON file and returns its permanent public URL: anyone with the URL can read it. It has a dataset, ' +
    'or chosen columns and rows of an earlier result at once, without a dataset: ' +
    `{"fromStep": 3, "sql": "SELECT address, price FROM ${STEP_ROWS} ORDER BY price"}.`,
  params: Input,
  output: z.object({ url: z.string(), bytes: z.int(), rowCount: z.int(), made: Made, foreignText: z.boolean() }),
  pricing: { kind: 'fixed', credits: 0 },
  annotations: { readOnly: false, openWorld: false, idempotent: false },
  flow: {
    reads: (dataset) => ownData([dataset]),
    failedReads: [],
    sink: { kind: 'link', outgoing: outgoingOf },
  },
  artifacts: ({ url }, { name, format }) => [hostedArtifact('file', url, `${name ?? STEP_ROWS}.${format}`)],
  available: () => true,
  async run({ format, ...given }, context) {
    const { ownerId, run } = context
    const { table, datasets } = await rowsToExport(ownerId, given, context)
    const { bytes } = await runDatasetTask({ kind: 'export', table, format }, context)
    const contentType = format === 'json' ? 'application/json' : 'text/csv'
    const { url } = await hostFile({ ownerId, bytes, contentType })
    const own = datasets.filter((dataset) => !isMadeIn(run, dataset))
    return {
      url,
      bytes: bytes.byteLength,
      rowCount: table.rowCount,
      made: own.length === 0,
      foreignText:
        own.length > 0 ? own.some(({ foreignText }) => foreignText) : datasets.some(({ foreignText }) => foreignText),
    }
  },
})
