import { downloadDataset } from '../../agent-tools/data/download'
import { DownloadedDataset, DownloadRequest } from '../public/datasets'
import { memberProcedure, router } from '../trpc'

export const ownerDatasetsRouter = router({
  download: memberProcedure('viewer')
    .input(DownloadRequest)
    .output(DownloadedDataset)
    .query(({ ctx, input }) => downloadDataset({ ownerId: ctx.owner, ...input }, ctx.signal)),
})
