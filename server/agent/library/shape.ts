import { z } from 'zod'
import { Column, DatasetName } from '../../agent-tools/data/shape'

const jobId = z.string().nullable().describe('The job whose run made it last; null: none that is still there')

/** A dataset as its account sees it, without its rows. */
export const LibraryDataset = z.object({
  name: z.string(),
  columns: z.array(Column),
  rowCount: z.int(),
  bytes: z.int().describe('Stored, compressed'),
  jobId,
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
export type LibraryDataset = z.infer<typeof LibraryDataset>

/** A site with its newest versions. */
export const LibrarySite = z.object({
  slug: z.string(),
  url: z.string(),
  live: z.int().nullable().describe('The version that is served; null: it was taken down'),
  versions: z
    .array(
      z.object({
        version: z.int(),
        files: z.int(),
        bytes: z.int(),
        preview: z.string().nullable().describe('Where those who have this address see the version; null: nowhere'),
        createdAt: z.iso.datetime(),
      }),
    )
    .describe('The newest 20, newest first'),
  jobId,
})
export type LibrarySite = z.infer<typeof LibrarySite>

/** A file of the account. Whoever has its URL can read it. */
export const LibraryFile = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(['file', 'image', 'video']),
  url: z.string(),
  contentType: z.string(),
  bytes: z.int(),
  jobId: jobId.describe('The job whose run made it last; null: none that is still there, as of an attachment'),
  createdAt: z.iso.datetime(),
})
export type LibraryFile = z.infer<typeof LibraryFile>

const nextCursor = z.string().nullable()
export const DatasetList = z.object({ datasets: z.array(LibraryDataset), nextCursor })
export const SiteList = z.object({ sites: z.array(LibrarySite), nextCursor })
export const FileList = z.object({
  files: z.array(LibraryFile),
  usedBytes: z.number().describe('What all files of the account take'),
  maxBytes: z.number().nullable().describe('What they may take; null: as much as there is'),
  nextCursor,
})
export type FileList = z.infer<typeof FileList>

export const FilePage = z.strictObject({
  limit: z.int().min(1).max(100).default(20).describe('Files a page'),
  cursor: z.string().max(200).optional().describe('`nextCursor` of the page before'),
})
export type FilePage = z.infer<typeof FilePage>

export const NamedDataset = z.strictObject({ name: z.string().min(1).max(63).describe("The dataset's name") })
export const RenamedDataset = z.strictObject({
  name: NamedDataset.shape.name,
  newName: DatasetName.describe('Its name from now on'),
})
export const NamedFile = z.strictObject({ id: z.string().min(1).max(63).describe("The file's id") })
export const NamedSite = z.strictObject({ slug: z.string().min(1).max(63).describe("The site's name") })
export const SiteVersionChoice = NamedSite.extend({ version: z.int().min(1).describe('The version to serve') })

export const MAX_ROWS_SHOWN = 100

/** Rows of a dataset for a page: sorted by a column, those with a text in any of them. */
export const DatasetRowsRequest = NamedDataset.extend({
  q: z
    .string()
    .max(200)
    .regex(/^[^\0]*$/, 'must not contain NUL')
    .default('')
    .describe('Text that a value of the row contains'),
  sort: z.string().max(200).optional().describe('A column; omitted: as they were written'),
  order: z.enum(['asc', 'desc']).default('asc'),
  offset: z.int().min(0).max(1_000_000).default(0),
})
export type DatasetRowsRequest = z.infer<typeof DatasetRowsRequest>

export const DatasetRows = z.object({
  columns: z.array(z.string()),
  rows: z.array(z.array(z.union([z.string(), z.number(), z.boolean(), z.null()]))),
  hasMore: z.boolean(),
})
export type DatasetRows = z.infer<typeof DatasetRows>
