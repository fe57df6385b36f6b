import { exportPieces } from '../api/account-export'
import { makeHandler } from './handler'
import { streamOfPieces } from './piece-stream'
import { callerFor } from './procedure'

/**
 * `/settings/account/export`: what is stored of the signed-in owner, as a ZIP that is made while it
 * is read. A failure midway aborts the download, so that it is noticed.
 */
export const accountExportHandler = makeHandler(
  'account-export',
  async ({ req, requestId }) => {
    const { ownerId } = await callerFor({ req, requestId }, 'session').account.beginExport()
    return new Response(streamOfPieces(exportPieces(ownerId, req.signal)), {
      headers: {
        'content-type': 'application/zip',
        'content-disposition': `attachment; filename="tollgate-${new Date().toISOString().slice(0, 10)}.zip"`,
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'x-request-id': requestId,
      },
    })
  },
  { methods: ['GET'] },
)
