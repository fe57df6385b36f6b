import type { Effect } from '../../tools/shape'
import type { DatasetTable, TableCell } from './shape'
import { rowsAsObjects } from './table'

/** Rows that are shown of those that come and go, and characters of a cell. */
const MAX_SHOWN = 10
const MAX_CELL_CHARS = 200

const shown = (cell: TableCell): TableCell =>
  typeof cell === 'string' && cell.length > MAX_CELL_CHARS ? `${cell.slice(0, MAX_CELL_CHARS).toWellFormed()}…` : cell

type Row = Record<string, unknown>

/** A row whatever the order of its columns, and without those that are empty. */
const keyOf = (row: Row): string =>
  JSON.stringify(
    Object.entries(row)
      .filter(([, value]) => value !== null)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )

/** Rows of one table that the other lacks; equal rows are compared by how many there are. */
function missingIn(rows: readonly Row[], others: readonly Row[]): Row[] {
  const counts = new Map<string, number>()
  for (const row of others) counts.set(keyOf(row), (counts.get(keyOf(row)) ?? 0) + 1)
  return rows.filter((row) => {
    const left = counts.get(keyOf(row)) ?? 0
    if (left > 0) counts.set(keyOf(row), left - 1)
    return left === 0
  })
}

/** The rows that go and come where one table takes the place of another. */
export function compareTables(before: DatasetTable, after: DatasetTable): Extract<Effect, { kind: 'rows' }> {
  const columns = [...new Set([...before.columns, ...after.columns].map(({ name }) => name))]
  const [old, next] = [rowsAsObjects(before), rowsAsObjects(after)]
  const [gone, come] = [missingIn(old, next), missingIn(next, old)]
  const cells = (rows: readonly Row[]) =>
    rows.slice(0, MAX_SHOWN).map((row) => columns.map((name) => shown((row[name] as TableCell | undefined) ?? null)))
  return {
    ...{ kind: 'rows', rowsBefore: old.length, rowsAfter: next.length, columns },
    ...{ added: come.length, removed: gone.length, addedRows: cells(come), removedRows: cells(gone) },
  }
}
