import { z } from 'zod'
import { FileChange } from '../sites/shape'

const cell = z.union([z.string(), z.number(), z.boolean(), z.null()])

/** What a call would change, as a person is shown it before they approve. */
export const Effect = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('files'),
    files: z.array(FileChange).describe('Those that go first; at most 100'),
    total: z.int().describe('Files that change in all'),
    pages: z
      .object({ before: z.string(), after: z.string() })
      .optional()
      .describe('Where the site is seen as it is, and as it would be: a preview, at an address that nobody guesses'),
  }),
  z.object({
    kind: z.literal('rows'),
    rowsBefore: z.int(),
    rowsAfter: z.int(),
    columns: z.array(z.string()),
    added: z.int().describe('Rows that come'),
    removed: z.int().describe('Rows that go'),
    addedRows: z.array(z.array(cell)).describe('The first of them, in the order of the columns'),
    removedRows: z.array(z.array(cell)),
  }),
  z.object({
    kind: z.literal('statement'),
    affected: z
      .int()
      .nullable()
      .describe('Rows that it touched in a transaction that was rolled back; null: not known'),
    note: z.string().nullable().describe('Why that is not known, or how the statement failed'),
  }),
])
export type Effect = z.infer<typeof Effect>
