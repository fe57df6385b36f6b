import { z } from 'zod'
import type { Origin } from '../../tools/flow'
import { MAX_DATASET_ROWS } from './limits'

/** A dataset's name is a table's name that needs no quoting. */
export const DatasetName = z
  .string()
  .regex(
    /^[a-z][a-z0-9_]{0,62}$/,
    'must begin with a lower-case letter and have at most 63 characters of a-z, 0-9 and _',
  )

export const DatasetColumnType = z.enum(['integer', 'number', 'text', 'boolean', 'json', 'empty'])
export type DatasetColumnType = z.infer<typeof DatasetColumnType>

export const Column = z.object({ name: z.string(), type: DatasetColumnType })
export type Column = z.infer<typeof Column>

/** A cell's value. Nested values are JSON texts. */
export type TableCell = string | number | boolean | null

/** A table in memory: rows as lists of cells, in the order of the columns. */
export type DatasetTable = { columns: Column[]; rows: TableCell[][] }

/** The files that a dataset can be downloaded as. */
export type DownloadFormat = 'csv' | 'xlsx'

/** A dataset as a file. CSV is gzipped: it is unpacked as its reader takes it. */
export type DatasetDownload = { name: string; format: DownloadFormat; bytes: Uint8Array }

/** Rows as callers send them. */
export const RowsInput = z.array(z.record(z.string(), z.unknown())).max(MAX_DATASET_ROWS)

export const Made = z.boolean().describe('Only this conversation has written it')

/**
 * Where the rows of datasets are from: those that this conversation made add nothing to what it has
 * read.
 */
export function ownData(datasets: readonly { made: boolean; foreignText: boolean }[]): readonly Origin[] {
  const own = datasets.filter(({ made }) => !made)
  return [
    ...(own.length > 0 ? (['private'] as const) : []),
    ...(own.some(({ foreignText }) => foreignText) ? (['foreign'] as const) : []),
  ]
}
