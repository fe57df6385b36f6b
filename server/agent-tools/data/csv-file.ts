import { gzipSync } from 'node:zlib'
import { stringify } from 'csv-stringify/sync'
import type { DatasetTable } from './shape'

const ROWS_PER_PIECE = 5_000

/**
 * A table as CSV with a header line. A text that begins like a formula gets an apostrophe before
 * it, because a spreadsheet would run it, unless the file is for programs; numbers stay numbers.
 */
export function csvOf({ columns, rows }: DatasetTable, { forPrograms = false } = {}): Buffer {
  const escape_formulas = !forPrograms
  const pieces = [stringify([columns.map(({ name }) => name)], { escape_formulas })]
  for (let at = 0; at < rows.length; at += ROWS_PER_PIECE)
    pieces.push(stringify(rows.slice(at, at + ROWS_PER_PIECE), { escape_formulas, cast: { boolean: String } }))
  return Buffer.concat(pieces.map((piece) => Buffer.from(piece)))
}

/** The same, compressed: what waits in memory for a slow client is small. */
export const zippedCsvOf = (table: DatasetTable): Uint8Array => new Uint8Array(gzipSync(csvOf(table), { level: 4 }))
