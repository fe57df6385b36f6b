import type { Cell, Column } from './shape'

/** A table as the database holds it: its rows are JSON under gzip, unpacked in threads only. */
export type PackedTable = { columns: Column[]; packed: Uint8Array; rowCount: number }

export type QueryTask = {
  kind: 'query'
  tables: (Pick<PackedTable, 'columns' | 'packed'> & { name: string })[]
  sql: string
  maxRows: number
  maxBytes: number
  maxHeapBytes: number
}

/** Rows as objects, or as CSV with a line of names. */
export type GivenTable = { rows: readonly Record<string, unknown>[] } | { csv: string }

/** What the thread of datasets does. */
export type DatasetTask =
  | QueryTask
  | { kind: 'pack'; given: GivenTable }
  | { kind: 'append'; to: PackedTable; given: GivenTable }
  | { kind: 'export'; table: PackedTable; format: 'csv' | 'json' }

/** `refused`: the input is wrong, and what is wrong with it: `path` is the parameter. */
export type DatasetAnswer =
  | { kind: 'rows'; columns: string[]; rows: Cell[][]; truncated: boolean }
  | { kind: 'table'; table: PackedTable }
  | { kind: 'text'; bytes: Uint8Array }
  | { kind: 'refused'; path: string; message: string }
