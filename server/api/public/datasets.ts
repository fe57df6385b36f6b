import { z } from 'zod'
import { downloadDataset } from '../../agent-tools/data/download'
import type { DatasetDownload } from '../../agent-tools/data/shape'
import { AppError } from '../../errors'
import type { CallerGrants } from '../../keys/grants'
import { accountKeyProcedure, hasScope, router } from '../trpc'

/** A dataset to download, as paths and query strings name it. */
export const DownloadRequest = z.strictObject({
  name: z.string().min(1).max(63).describe("The dataset's name"),
  format: z.enum(['csv', 'xlsx']).default('csv').describe('CSV, or a workbook for spreadsheets'),
})

/** The file for the handler that sends it. */
export const DownloadedDataset = z
  .custom<DatasetDownload>(() => true)
  .meta({ description: 'The file', override: { type: 'string' } })
export type DownloadedDataset = z.infer<typeof DownloadedDataset>

/** Throws `forbidden` for a key whose runs are restricted to other capabilities. */
export function requireCapability({ capabilities }: CallerGrants, needed: 'data' | 'site'): void {
  if (capabilities !== null && !capabilities.includes(needed))
    throw new AppError('forbidden', `This key lacks the capability "${needed}".`)
}

export const datasets = router({
  download: accountKeyProcedure
    .meta({
      openapi: {
        ...{ method: 'GET', path: '/datasets/{name}', operationId: 'downloadDataset', protect: true },
        summary: 'Download a dataset that runs have made',
        description: 'The key needs the scope agent and, where its runs are restricted, the capability data.',
        tags: ['Agent runs'],
      },
      rest: {
        ownHandler: true,
        content: {
          'text/csv': 'The rows with a header line. A text that a spreadsheet would run begins with an apostrophe',
          'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'With `format=xlsx`: a workbook',
        },
        traits: ['granted', 'named'],
      },
    })
    .input(DownloadRequest)
    .use(hasScope('agent'))
    .output(DownloadedDataset)
    .query(({ ctx: { caller, signal }, input }) => {
      requireCapability(caller.grants, 'data')
      return downloadDataset({ ownerId: caller.ownerId, ...input }, signal)
    }),
})
