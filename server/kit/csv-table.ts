import { stringify } from 'csv-stringify/sync'

export type CsvCell = string | number | boolean | null | undefined

const toLines = (rows: CsvCell[][], delimiter: string): string =>
  stringify(rows, { delimiter, escape_formulas: true, cast: { boolean: String } })

/**
 * Rows as CSV: the names of the columns, and each column's cell of a row. Texts that a spreadsheet
 * would run as a formula are escaped.
 */
export const csvTable = <T>(columns: Readonly<Record<string, (row: T) => CsvCell>>) => ({
  header: (delimiter = ','): string => toLines([Object.keys(columns)], delimiter),
  lines: (rows: readonly T[], delimiter = ','): string =>
    toLines(
      rows.map((row) => Object.values(columns).map((cellOf) => cellOf(row))),
      delimiter,
    ),
})

export type CsvTable<T> = ReturnType<typeof csvTable<T>>
