import { AppError, invalidRequest } from '../../../errors'
import { inThread } from '../../../kit/thread'
import type { Cell, Table } from './shape'
import { type DatasetInfo, listDatasets, loadDataset } from './store'

export type QueryJob = {
  tables: (Table & { name: string })[]
  sql: string
  maxRows: number
  maxBytes: number
  maxHeapBytes: number
}

export type QueryAnswer =
  | { kind: 'rows'; columns: string[]; rows: Cell[][]; truncated: boolean }
  | { kind: 'refused'; message: string }

export type QueryResult = Extract<QueryAnswer, { kind: 'rows' }> & {
  /** What the statement could read. */
  datasets: DatasetInfo[]
}

const MIB = 1024 * 1024
const THREAD = { name: 'query-thread', source: 'agent/tools/data/query-thread.ts' }
const TIMEOUT_MS = 15_000
/** JavaScript's part of the thread; SQLite has a limit of its own. */
const HEAP_MB = 384
const MOST = { maxRows: 1_000, maxBytes: MIB, maxHeapBytes: 256 * MIB }
/** Rows that one query may load. */
const MOST_LOADED = 300_000

const wrong = (message: string) => invalidRequest([{ path: ['sql'], message }])

/**
 * Runs one statement that reads over an owner's datasets, each a table of its name. The engine is SQLite in WebAssembly,
 * in a thread that is thrown away: it has no way to disk, network or our own data, and what it changes is gone with it.
 * Throws `invalid_request` for what SQLite refuses, or takes too long or too much memory.
 */
export async function queryDatasets(
  ownerId: number,
  sql: string,
  { signal, maxRows = MOST.maxRows }: { signal?: AbortSignal; maxRows?: number } = {},
): Promise<QueryResult> {
  if (!/^(\s|--[^\n]*\n|\/\*[\s\S]*?\*\/|\()*(select|with|values|explain)\b/i.test(sql))
    throw wrong('must be one statement that reads: SELECT, WITH, VALUES or EXPLAIN')
  const words = new Set(sql.toLowerCase().match(/[a-z][a-z0-9_]*/g) ?? [])
  const named = (await listDatasets(ownerId)).filter(({ name }) => words.has(name))
  const rows = named.reduce((sum, { rowCount }) => sum + rowCount, 0)
  if (rows > MOST_LOADED) throw wrong(`names datasets of ${rows} rows together; ${MOST_LOADED} is the most`)
  const tables = await Promise.all(named.map(async ({ name }) => ({ name, ...(await loadDataset(ownerId, name)) })))
  const job: QueryJob = { tables, sql, ...MOST, maxRows }
  const ran = await inThread<QueryAnswer>(THREAD, job, { timeoutMs: TIMEOUT_MS, heapMb: HEAP_MB, signal })
  switch (ran.kind) {
    case 'late':
      throw wrong(`ran for more than ${TIMEOUT_MS / 1000} s and was stopped`)
    case 'too_large':
      throw wrong('needs too much memory and was stopped')
    case 'failed':
      throw new AppError('upstream_error', 'The query engine failed.', { cause: ran.message })
    case 'done':
      break
    default:
      ran satisfies never
  }
  if (ran.value.kind === 'rows') return { ...ran.value, datasets: named }
  throw wrong(helped(ran.value.message, named.length))
}

const helped = (message: string, found: number): string =>
  /no such table/i.test(message) && found === 0 ? `${message}. dataset_list tells which datasets there are` : message
