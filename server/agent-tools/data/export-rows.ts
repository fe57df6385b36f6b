import { invalidRequest } from '../../errors'
import type { ToolContext } from '../../tools/define'
import { runDatasetTask } from './dataset-pool'
import type { PackedTable } from './dataset-tasks'
import { distinctNames } from './distinct-names'
import { givenTable } from './given-table'
import { FILE_LIMITS, queryDatasets } from './query-datasets'
import { type DatasetInfo, loadDataset } from './store'
import { rowsAsObjects } from './table'

/** The table's name by which a statement reads the rows of earlier steps. */
export const STEP_ROWS = 'rows'

/** A dataset, the rows of earlier steps, or what a statement selects from these. */
export type ToExport = {
  name?: string | undefined
  sql?: string | undefined
  fromStep?: number | number[] | undefined
  path?: string | undefined
}

/** Rows for a file, and the datasets that they are from. */
export type ExportedRows = { table: PackedTable; datasets: Pick<DatasetInfo, 'runId' | 'foreignText'>[] }

/**
 * The rows that an export names. Throws `invalid_request` for a dataset that does not exist, a
 * statement that SQLite refuses, and for more rows than a file may have.
 */
export async function rowsToExport(ownerId: number, given: ToExport, context: ToolContext): Promise<ExportedRows> {
  const { name, sql, fromStep, path } = given
  if (name !== undefined) {
    const { columns, packed, rowCount, ...origin } = await loadDataset(ownerId, name)
    return { table: { columns, packed, rowCount }, datasets: [origin] }
  }
  const pack = async (rows: Parameters<typeof givenTable>[0]) =>
    (await runDatasetTask({ kind: 'pack', given: await givenTable(rows, context) }, context)).table
  const steps = fromStep === undefined ? null : await pack({ fromStep, path })
  if (sql === undefined) {
    if (steps) return { table: steps, datasets: [] }
    throw invalidRequest([{ path: ['name'], message: 'Give name, or fromStep, sql or both' }])
  }
  const table = steps ? { table: { ...steps, name: STEP_ROWS } } : {}
  const found = await queryDatasets(ownerId, sql, { ...FILE_LIMITS, ...table, signal: context.signal })
  if (found.truncated)
    throw invalidRequest([{ path: ['sql'], message: 'selects more than a file may have: narrow it' }])
  if (found.rows.length === 0) throw invalidRequest([{ path: ['sql'], message: 'selects no rows' }])
  const columns = distinctNames(found.columns).map((column) => ({ name: column, type: 'text' as const }))
  return { table: await pack({ rows: rowsAsObjects({ columns, rows: found.rows }) }), datasets: found.datasets }
}
