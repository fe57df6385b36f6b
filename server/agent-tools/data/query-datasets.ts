import { invalidRequest } from '../../errors'
import { runDatasetTask } from './dataset-pool'
import type { DatasetResult } from './dataset-tasks'
import { type DatasetInfo, listDatasets, loadDataset } from './store'

export type DatasetQueryResult = Extract<DatasetResult, { kind: 'rows' }> & {
  /** The datasets that the statement could read. */
  datasets: DatasetInfo[]
}

const MIB = 1024 * 1024
const LIMITS = { maxRows: 1_000, maxBytes: MIB, maxHeapBytes: 128 * MIB }
/** Rows that one query may load at most. */
const MAX_LOADED_ROWS = 300_000

const invalidSql = (message: string) => invalidRequest([{ path: ['sql'], message }])

/**
 * Runs one read-only statement over an owner's datasets, each a table with its name. The engine is
 * SQLite in WebAssembly, in a thread that is discarded: it reaches no disk, no network and no other
 * data, and its changes are lost.
 * Throws `invalid_request` for what SQLite refuses, and for a query that takes too much time or
 * memory.
 */
export async function queryDatasets(
  ownerId: number,
  sql: string,
  { signal, maxRows = LIMITS.maxRows }: { signal?: AbortSignal; maxRows?: number } = {},
): Promise<DatasetQueryResult> {
  const words = new Set(sql.toLowerCase().match(/[a-z][a-z0-9_]*/g) ?? [])
  const named = (await listDatasets(ownerId)).filter(({ name }) => words.has(name))
  const rows = named.reduce((sum, { rowCount }) => sum + rowCount, 0)
  if (rows > MAX_LOADED_ROWS)
    throw invalidSql(`names datasets with ${rows} rows in total; the maximum is ${MAX_LOADED_ROWS}`)
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

/** A missing table is usually a guessed name. */
function withHint(error: unknown): unknown {
  const message = error instanceof Error ? error.message.replace('sql: ', '') : ''
  return /^no such table/i.test(message) ? invalidSql(`${message}. dataset_list lists the datasets`) : error
}
