import { queryDatasets } from '../../agent-tools/data/query-datasets'
import { findDataset, noDataset } from '../../agent-tools/data/store'
import { invalidRequest } from '../../errors'
import { type DatasetRows, type DatasetRowsRequest, MAX_ROWS_SHOWN } from './shape'

const identifier = (name: string) => `"${name.replaceAll('"', '""')}"`
const literal = (text: string) => `'${text.replaceAll("'", "''")}'`

/**
 * Some rows of a dataset, read in the thread of datasets. Throws `not_found`, and `invalid_request`
 * for a column that it does not have.
 */
export async function readDatasetRows(
  ownerId: number,
  { name, q, sort, order, offset }: DatasetRowsRequest,
  signal?: AbortSignal,
): Promise<DatasetRows> {
  const dataset = await findDataset(ownerId, name)
  if (!dataset) throw noDataset(name)
  const names = dataset.columns.map((column) => column.name)
  if (sort !== undefined && !names.includes(sort))
    throw invalidRequest([{ path: ['sort'], message: `must be a column: ${names.join(', ')}` }])
  const contains = (column: string) => `instr(lower(${identifier(column)}), lower(${literal(q)})) > 0`
  const sql = [
    `SELECT * FROM ${identifier(name)}`,
    ...(q === '' ? [] : [`WHERE ${names.map(contains).join(' OR ')}`]),
    // Empty values last, in both orders.
    ...(sort === undefined ? [] : [`ORDER BY ${identifier(sort)} IS NULL, ${identifier(sort)} ${order}, rowid`]),
    `LIMIT ${MAX_ROWS_SHOWN + 1} OFFSET ${offset}`,
  ].join(' ')
  const { rows, truncated } = await queryDatasets(ownerId, sql, { signal })
  return { columns: names, rows: rows.slice(0, MAX_ROWS_SHOWN), hasMore: truncated || rows.length > MAX_ROWS_SHOWN }
}
