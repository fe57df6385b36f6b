import { statfs } from 'node:fs/promises'
import { collectDefaultMetrics } from 'prom-client'
import { refreshBeforeReading } from './exposition'
import { gauge, processRegistry } from './registry'

const buildInfo = gauge('tollgate_build_info', 'Always 1, by the version and the kind of a process', {
  labelNames: ['version', 'role'],
})

const folderFree = gauge('tollgate_data_folder_free_bytes', 'Space left on the disk of DATA_DIR')
const folderSize = gauge('tollgate_data_folder_size_bytes', 'Size of the disk of DATA_DIR')

export type ProcessInfo = {
  role: 'web' | 'worker'
  version: string
  /** The data folder. */
  folder: string
}

/**
 * Begins to measure the process itself: memory, event loop, garbage collection, start, version, and
 * the disk of its data folder.
 */
export function measureProcess({ role, version, folder }: ProcessInfo): void {
  collectDefaultMetrics({ register: processRegistry })
  buildInfo.labels(version, role).set(1)
  refreshBeforeReading(() => measureFolder(folder))
}

/** Reads how full a folder's disk is. A folder that cannot be read has no value. */
async function measureFolder(folder: string): Promise<void> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder)
    folderFree.set(bavail * bsize)
    folderSize.set(blocks * bsize)
  } catch {
    folderFree.remove()
    folderSize.remove()
  }
}
