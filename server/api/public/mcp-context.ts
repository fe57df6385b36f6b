import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { z } from 'zod'
import { downloadDataset } from '../../agent-tools/data/download'
import { listDatasets } from '../../agent-tools/data/store'
import { describeCatalog } from '../../catalog/describe'
import { catalogMarkdown } from '../../catalog/markdown'
import { beginningWith, listMcpPrompts, promptText, promptValues } from '../../catalog/mcp-prompts'
import { AppError } from '../../errors'
import { type CallerGrants, mayCallTool } from '../../keys/grants'
import { findTool } from '../../tools/registry'
import { keyProcedure, router } from '../trpc'

const CATALOG = 'tollgate://catalog'
const DATASET = 'tollgate://datasets/'

/** Of a larger dataset, the beginning: what is read goes into a model's context. */
const MAX_TEXT = 256 * 1024

const unzip = promisify(gunzip)

/** Whether a key may read the datasets of its owner, as when it downloads them. */
const mayReadDatasets = ({ agent, capabilities, customer }: CallerGrants): boolean =>
  agent && customer === null && (capabilities === null || capabilities.includes('data'))

const noResource = (): AppError =>
  new AppError('not_found', 'There is no such resource. resources/list has those of this key.')

type Caller = { ownerId: number; grants: CallerGrants }

const datasetsOf = async ({ ownerId, grants }: Caller) => (mayReadDatasets(grants) ? listDatasets(ownerId) : [])

/** The beginning of a dataset as CSV, whole lines. */
async function readDataset({ ownerId, grants }: Caller, name: string, signal: AbortSignal): Promise<string> {
  if (!mayReadDatasets(grants)) throw noResource()
  const { bytes } = await downloadDataset({ ownerId, name, format: 'csv' }, signal).catch((error) => {
    throw error instanceof AppError && error.code === 'not_found' ? noResource() : error
  })
  const text = (await unzip(bytes)).toString('utf8')
  if (text.length <= MAX_TEXT) return text
  return `${text.slice(0, text.lastIndexOf('\n', MAX_TEXT))}\n… The rest is at /api/v1/datasets/${name}.\n`
}

/** What MCP offers beside tools: prompts that call them, and things to read. All of it is free. */
export const mcpContext = router({
  prompts: keyProcedure.query(({ ctx }) => listMcpPrompts((id) => mayCallTool(ctx.caller.grants, id))),

  prompt: keyProcedure
    .input(z.strictObject({ name: z.string(), args: z.record(z.string(), z.string().max(10_000)) }))
    .query(({ ctx, input: { name, args } }) => {
      const tool = findTool(name)
      if (!tool || tool.mcp === false || !mayCallTool(ctx.caller.grants, name))
        throw new AppError('not_found', 'There is no such prompt. prompts/list has those of this key.')
      return { description: tool.description, text: promptText(tool, args) }
    }),

  resources: keyProcedure.query(async ({ ctx }) => [
    {
      uri: CATALOG,
      name: 'catalog',
      title: 'Everything that can be called, with prices',
      mimeType: 'text/markdown',
    },
    ...(await datasetsOf(ctx.caller)).map(({ name, rowCount, columns }) => ({
      uri: `${DATASET}${name}`,
      name,
      title: `Dataset ${name}`,
      description: `${rowCount} rows of ${columns.map((column) => column.name).join(', ')}`.slice(0, 500),
      mimeType: 'text/csv',
    })),
  ]),

  resource: keyProcedure.input(z.strictObject({ uri: z.string().max(500) })).query(async ({ ctx, input: { uri } }) => {
    if (uri === CATALOG) return { uri, mimeType: 'text/markdown', text: catalogMarkdown(describeCatalog()) }
    if (!uri.startsWith(DATASET)) throw noResource()
    const text = await readDataset(ctx.caller, uri.slice(DATASET.length), ctx.signal)
    return { uri, mimeType: 'text/csv', text }
  }),

  /** Values that complete an argument of a prompt, or the name of a dataset. */
  complete: keyProcedure
    .input(z.strictObject({ prompt: z.string().nullable(), argument: z.string(), value: z.string().max(500) }))
    .query(async ({ ctx, input: { prompt, argument, value } }) => {
      if (prompt !== null) return mayCallTool(ctx.caller.grants, prompt) ? promptValues(prompt, argument, value) : []
      const names = (await datasetsOf(ctx.caller)).map(({ name }) => name)
      return beginningWith(names, value)
    }),
})

/** The address of a dataset, with its name to be put in. */
export const DATASET_TEMPLATE = `${DATASET}{name}`
