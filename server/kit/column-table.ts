import type { ColumnType } from './statement'

/** What a statement selects, by the name in its rows: an expression in SQL, and its type. */
type ColumnTable = Readonly<Record<string, { sql: string; type: ColumnType }>>

/** The columns as a select list. */
export const selectList = (table: ColumnTable): string =>
  Object.entries(table)
    .map(([name, { sql }]) => `${sql} AS "${name}"`)
    .join(', ')

/** The columns as `statement` takes them. */
export const columnTypes = <const T extends ColumnTable>(table: T) =>
  Object.fromEntries(Object.entries(table).map(([name, { type }]) => [name, type])) as {
    readonly [Name in keyof T]: T[Name]['type']
  }
