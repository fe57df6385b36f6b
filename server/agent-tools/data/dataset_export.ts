import { z } from 'zod'
import { needsApproval } from '../../errors'
import { hostFile } from '../../files/put'
import { hostedArtifact } from '../../tools/artifact'
import { defineTool, type ToolContext } from '../../tools/define'
import type { AgentCaller, Outgoing } from '../../tools/flow'
import { podPathParam } from '../pod/path'
import { withPodMutex } from '../pod/pod-mutex'
import { requirePodTask } from '../pod/pod-pool'
import { loadPod, podOwner, savePod } from '../pod/store'
import { runDatasetTask } from './dataset-pool'
import { rowsToExport, STEP_ROWS } from './export-rows'
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
  toFile: podPathParam
    .optional()
    .describe('Write a file of the shell (pod_run), such as rows.csv, instead of a public link'),
})

/**
 * What a link would show to everybody; null: the dataset does not exist, or a file of the shell is
 * written.
 */
async function outgoingOf(given: z.output<typeof Input>, { ownerId, run }: AgentCaller): Promise<Outgoing | null> {
  const { name, sql, fromStep, toFile } = given
  if (toFile !== undefined) return null
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

async function publicUrl(ownerId: number, bytes: Uint8Array, format: 'csv' | 'json'): Promise<string> {
  return (await hostFile({ ownerId, bytes, contentType: format === 'json' ? 'application/json' : 'text/csv' })).url
}

const TO_FILE = { encoding: 'base64', append: false } as const

/** Writes a file of the conversation's shell, and returns where it is. */
async function writeToShell(path: string, bytes: Uint8Array, context: ToolContext): Promise<string> {
  const owner = podOwner(context)
  const file = { ...TO_FILE, path, content: Buffer.from(bytes).toString('base64') }
  return withPodMutex(owner.jobId, async () => {
    const pod = await loadPod(owner)
    const done = await requirePodTask({ kind: 'write', file, approved: context.approved ?? false }, pod, context)
    if (done.kind === 'needs_approval') throw needsApproval(`Replacing the content of ${done.path}`)
    await savePod(owner, pod, { packed: done.packed, cwd: pod.cwd })
    return done.path
  })
}

export const datasetExport = defineTool({
  id: 'dataset_export',
  label: 'Export a dataset',
  capability: 'data',
  description:
    'Writes a CSV or JSON file and returns its permanent public URL: anyone with the URL can read it. It has a dataset, ' +
    'or chosen columns and rows of an earlier result at once, without a dataset: ' +
    `{"fromStep": 3, "sql": "SELECT address, price FROM ${STEP_ROWS} ORDER BY price"}. With toFile it is a file of the ` +
    'shell instead, for pod_run, and nobody else can read it.',
  params: Input,
  output: z.object({
    url: z.string().nullable().describe('null: it is a file of the shell'),
    file: z.string().nullable().describe('Where it is in the shell; null: it has a public URL'),
    bytes: z.int(),
    rowCount: z.int(),
    made: Made,
    foreignText: z.boolean(),
  }),
  pricing: { kind: 'fixed', credits: 0 },
  annotations: { readOnly: false, openWorld: false, idempotent: false },
  flow: {
    reads: (dataset) => ownData([dataset]),
    failedReads: [],
    sink: { kind: 'link', outgoing: outgoingOf },
  },
  artifacts: ({ url }, { name, format }) =>
    url === null ? [] : [hostedArtifact('file', url, `${name ?? STEP_ROWS}.${format}`)],
  available: () => true,
  async asks({ toFile }, caller) {
    if (toFile === undefined) return null
    const file = { ...TO_FILE, path: toFile, content: '' }
    const plan = await requirePodTask({ kind: 'plan', file }, await loadPod(podOwner(caller)), caller)
    return (
      plan && {
        summary: `Replace the content of ${plan.path} with exported rows.`,
        reason: `Its ${plan.oldBytes} bytes are lost.`,
        command: `export to ${plan.path}`,
      }
    )
  },
  async run({ format, toFile, ...given }, context) {
    const { ownerId, run } = context
    const { table, datasets } = await rowsToExport(ownerId, given, context)
    const forPrograms = toFile !== undefined
    const { bytes } = await runDatasetTask({ kind: 'export', table, format, forPrograms }, context)
    const written =
      toFile === undefined
        ? { url: await publicUrl(ownerId, bytes, format), file: null }
        : { url: null, file: await writeToShell(toFile, bytes, context) }
    const own = datasets.filter((dataset) => !isMadeIn(run, dataset))
    return {
      ...written,
      bytes: bytes.byteLength,
      rowCount: table.rowCount,
      made: own.length === 0,
      foreignText:
        own.length > 0 ? own.some(({ foreignText }) => foreignText) : datasets.some(({ foreignText }) => foreignText),
    }
  },
})
