import type { StatsFs } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { collectDefaultMetrics } from 'prom-client'
import { gauge, processRegistry } from '../../kit/metrics/registry'

const buildInfo = gauge('tollgate_build_info', 'Always 1, by version, commit and kind of a process', {
  labelNames: ['version', 'commit', 'role'],
})

export type ProcessInfo = {
  role: 'web' | 'worker'
  version: string
  commit: string | null
  /** The data folder. */
  folder: string
}

/**
 * Begins to measure the process itself: memory, event loop, garbage collection, start, version, and
 * the disk of its data folder.
 */
export function measureProcess({ role, version, commit, folder }: ProcessInfo): void {
  collectDefaultMetrics({ register: processRegistry })
  buildInfo.labels(version, commit ?? 'unknown', role).set(1)
  measureFolder(folder)
}

/** How full a folder's disk is. One that cannot be read has no value. */
function measureFolder(folder: string): void {
  const measure = (name: string, help: string, read: (disk: StatsFs) => number) =>
    gauge(name, help, {
      collect: async (bytes) => {
        const disk = await statfs(folder).catch(() => null)
        if (disk) bytes.set(read(disk))
        else bytes.remove()
      },
    })
  measure('tollgate_data_folder_free_bytes', 'Space left on the disk of DATA_DIR', (disk) => disk.bavail * disk.bsize)
  measure('tollgate_data_folder_size_bytes', 'Size of the disk of DATA_DIR', (disk) => disk.blocks * disk.bsize)
}
