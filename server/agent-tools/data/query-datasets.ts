import { invalidRequest } from '../../errors'
import { runDatasetTask } from './dataset-pool'
import type { DatasetResult, PackedTable } from './dataset-tasks'
import { MAX_DATASET_BYTES, MAX_DATASET_ROWS } from './limits'
import { type DatasetInfo, listDatasets, loadDataset } from './store'

export type DatasetQueryResult = Extract<DatasetResult, { kind: 'rows' }> & {
  /** The datasets that the statement could read. */
  datasets: DatasetInfo[]
}

const MIB = 1024 * 1024
const LIMITS = { maxRows: 1_000, maxBytes: MIB, maxHeapBytes: 128 * MIB }
/** For a file. */
export const FILE_LIMITS = { maxRows: MAX_DATASET_ROWS, maxBytes: MAX_DATASET_BYTES }
/** Rows that one query may load at most. */
const MAX_LOADED_ROWS = 300_000

const invalidSql = (message: string) => invalidRequest([{ path: ['sql'], message }])

/** The datasets of an owner that a statement can read: those that it names. */
export async function datasetsIn(ownerId: number, sql: string): Promise<DatasetInfo[]> {
  const words = new Set(sql.toLowerCase().match(/[a-z][a-z0-9_]*/g) ?? [])
  return (await listDatasets(ownerId)).filter(({ name }) => words.has(name))
}

type QueryOptions = {
  signal?: AbortSignal
  maxRows?: number
  maxBytes?: number
  /** A further table, which hides a dataset of its name. */
  table?: PackedTable & { name: string }
}

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
  { signal, maxRows = LIMITS.maxRows, maxBytes = LIMITS.maxBytes, table }: QueryOptions = {},
): Promise<DatasetQueryResult> {
  const named = (await datasetsIn(ownerId, sql)).filter(({ name }) => name !== table?.name)
  const rows = named.reduce((sum, { rowCount }) => sum + rowCount, table?.rowCount ?? 0)
  if (rows > MAX_LOADED_ROWS)
    throw invalidSql(`names datasets with ${rows} rows in total; the maximum is ${MAX_LOADED_ROWS}`)
  const tables = await Promise.all(
    named.map(async ({ name }) => {
      const { columns, packed } = await loadDataset(ownerId, name)
      return { name, columns, packed }
    }),
  )
  const all = table ? [...tables, table] : tables
  const task = { kind: 'query' as const, tables: all, sql, ...LIMITS, maxRows, maxBytes }
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
