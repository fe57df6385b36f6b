import { invalidRequest } from '../../errors'
import { runDatasetTask } from './dataset-pool'
import type { DatasetResult } from './dataset-tasks'
import { type DatasetInfo, listDatasets, loadDataset } from './store'

export type DatasetQueryResult = Extract<DatasetResult, { kind: 'rows' }> & {
  /** What the statement could read. */
  datasets: DatasetInfo[]
}

const MIB = 1024 * 1024
const LIMITS = { maxRows: 1_000, maxBytes: MIB, maxHeapBytes: 128 * MIB }
/** Rows that one query may load. */
const MAX_LOADED_ROWS = 300_000

const wrong = (message: string) => invalidRequest([{ path: ['sql'], message }])

/**
 * Runs one statement that reads over an owner's datasets, each a table of its name. The engine is SQLite in WebAssembly,
 * in a thread that is thrown away: it has no way to disk, network or our own data, and what it changes is gone with it.
 * Throws `invalid_request` for what SQLite refuses, or takes too long or too much memory.
 */
export async function queryDatasets(
  ownerId: number,
  sql: string,
  { signal, maxRows = LIMITS.maxRows }: { signal?: AbortSignal; maxRows?: number } = {},
): Promise<DatasetQueryResult> {
  const words = new Set(sql.toLowerCase().match(/[a-z][a-z0-9_]*/g) ?? [])
  const named = (await listDatasets(ownerId)).filter(({ name }) => words.has(name))
  const rows = named.reduce((sum, { rowCount }) => sum + rowCount, 0)
  if (rows > MAX_LOADED_ROWS) throw wrong(`names datasets of ${rows} rows together; ${MAX_LOADED_ROWS} is the most`)
  const tables = await Promise.all(
    named.map(async ({ name }) => {
      const { columns, packed } = await loadDataset(ownerId, name)
      return { name, columns, packed }
    }),
  )
  const task = { kind: 'query' as const, tables, sql, ...LIMITS, maxRows }
  const answer = await runDatasetTask(task, { ownerId, signal }).catch((error) => {
    throw named.length === 0 ? withHint(error) : error
  })
  return { ...answer, datasets: named }
}

/** A missing table is most often a name that was guessed. */
function withHint(error: unknown): unknown {
  const message = error instanceof Error ? error.message.replace('sql: ', '') : ''
  return /^no such table/i.test(message) ? wrong(`${message}. dataset_list says which datasets there are`) : error
}
