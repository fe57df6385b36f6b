import { z } from 'zod'
import { deleteFile, removeDataset, renameDataset } from '../../agent/library/change'
import {
  getLibraryDataset,
  getLibrarySite,
  listLibraryDatasets,
  listLibraryFiles,
  listLibrarySites,
} from '../../agent/library/list'
import { readDatasetRows } from '../../agent/library/rows'
import {
  DatasetRows,
  DatasetRowsRequest,
  FileList,
  FilePage,
  LibraryDataset,
  LibrarySite,
  NamedDataset,
  NamedFile,
  NamedSite,
  RenamedDataset,
  SiteVersionChoice,
} from '../../agent/library/shape'
import { MAX_DATASETS } from '../../agent-tools/data/limits'
import { rollBackSite } from '../../sites/rollback'
import { MAX_SITES } from '../../sites/shape'
import { endPreview, takeDownSite } from '../../sites/take-down'
import { audited } from '../operation-meta'
import { memberProcedure, router } from '../trpc'

/** What the audit log says of an act on one version of a site. */
const OF_VERSION = {
  subject: ({ slug }: z.infer<typeof SiteVersionChoice>) => slug,
  detail: ({ version }: z.infer<typeof SiteVersionChoice>) => ({ version }),
}

/** What runs have made and is still there. */
export const libraryRouter = router({
  list: memberProcedure('viewer')
    .output(
      z.object({
        datasets: z.array(LibraryDataset),
        sites: z.array(LibrarySite),
        most: z.object({ datasets: z.int(), sites: z.int() }).describe('How many an account may have'),
      }),
    )
    .query(async ({ ctx }) => {
      const [datasets, sites] = await Promise.all([listLibraryDatasets(ctx.owner), listLibrarySites(ctx.owner)])
      return { datasets, sites, most: { datasets: MAX_DATASETS, sites: MAX_SITES } }
    }),

  dataset: memberProcedure('viewer')
    .input(NamedDataset)
    .output(LibraryDataset)
    .query(({ ctx, input }) => getLibraryDataset(ctx.owner, input.name)),

  site: memberProcedure('viewer')
    .input(NamedSite)
    .output(LibrarySite)
    .query(({ ctx, input }) => getLibrarySite(ctx.owner, input.slug)),

  files: memberProcedure('viewer')
    .input(FilePage)
    .output(FileList)
    .query(({ ctx, input }) => listLibraryFiles(ctx.owner, input)),

  rows: memberProcedure('viewer')
    .input(DatasetRowsRequest)
    .output(DatasetRows)
    .query(({ ctx, input }) => readDatasetRows(ctx.owner, input, ctx.signal)),

  renameDataset: memberProcedure('developer')
    .meta(
      audited('dataset_renamed', {
        subject: ({ name }: z.infer<typeof RenamedDataset>) => name,
        detail: ({ newName }: z.infer<typeof RenamedDataset>) => ({ newName }),
      }),
    )
    .input(RenamedDataset)
    .output(NamedDataset)
    .mutation(({ ctx, input }) => renameDataset(ctx.owner, input)),

  removeDataset: memberProcedure('developer')
    .meta(audited('dataset_deleted', { subject: ({ name }: z.infer<typeof NamedDataset>) => name }))
    .input(NamedDataset)
    .output(NamedDataset)
    .mutation(({ ctx, input }) => removeDataset(ctx.owner, input.name)),

  removeFile: memberProcedure('developer')
    .meta(audited('file_deleted', { subject: ({ id }: z.infer<typeof NamedFile>) => id }))
    .input(NamedFile)
    .output(NamedFile)
    .mutation(({ ctx, input }) => deleteFile(ctx.owner, input.id)),

  serveVersion: memberProcedure('developer')
    .meta(audited('site_version_served', OF_VERSION))
    .input(SiteVersionChoice)
    .output(z.object({ url: z.string(), version: z.int(), replaced: z.int().nullable() }))
    .mutation(({ ctx, input }) => rollBackSite(ctx.owner, input)),

  takeDown: memberProcedure('developer')
    .meta(audited('site_taken_down', { subject: ({ slug }: z.infer<typeof NamedSite>) => slug }))
    .input(NamedSite)
    .output(z.object({ slug: z.string(), wasLive: z.int().nullable() }))
    .mutation(({ ctx, input }) => takeDownSite(ctx.owner, input)),

  endPreview: memberProcedure('developer')
    .meta(audited('site_preview_ended', OF_VERSION))
    .input(SiteVersionChoice)
    .output(z.object({ slug: z.string(), version: z.int() }))
    .mutation(({ ctx, input }) => endPreview(ctx.owner, input)),
})
