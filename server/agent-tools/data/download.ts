import { runDatasetTask } from './dataset-pool'
import type { DatasetDownload, DownloadFormat } from './shape'
import { findDataset, loadDataset, noDataset } from './store'

type Wanted = { ownerId: number; name: string; format: DownloadFormat }

/**
 * An owner's dataset as a file, written in a thread. Throws `not_found`, `unavailable` while too
 * many tasks wait, and `invalid_request` for one that is too large to write.
 */
export async function downloadDataset(
  { ownerId, name, format }: Wanted,
  signal: AbortSignal,
): Promise<DatasetDownload> {
  if (!(await findDataset(ownerId, name))) throw noDataset(name)
  const table = await loadDataset(ownerId, name)
  const { bytes } = await runDatasetTask({ kind: 'download', table, format }, { ownerId, signal })
  return { name, format, bytes }
}
