import { spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, statfsSync, writeSync } from 'node:fs'
import path from 'node:path'

/** A small separate file system that can be filled and emptied. */
export type SmallDisk = { fill: () => void; free: () => void; unmount: () => void }

const isMounted = (folder: string): boolean =>
  readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .some((line) => line.split(' ')[1] === folder)

const run = (command: string, ...args: string[]): boolean => spawnSync(command, args).status === 0

/**
 * Mounts `megabytes` of memory at a folder, or returns null where the system does not allow it:
 * then there is no disk that a test may fill. What a killed run left mounted there is unmounted
 * first.
 */
export function mountSmallDisk(folder: string, megabytes: number): SmallDisk | null {
  if (process.platform !== 'linux') return null
  mkdirSync(folder, { recursive: true })
  if (isMounted(folder) && !run('umount', folder)) throw new Error(`${folder} is mounted and in use`)
  if (!run('mount', '-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tollgate-faults', folder)) return null
  const ballast = path.join(folder, 'ballast')
  return {
    fill: () => fillWith(ballast),
    free: () => rmSync(ballast, { force: true }),
    unmount: () => void run('umount', folder),
  }
}

/** Writes until the file system refuses. */
function fillWith(file: string): void {
  const chunk = Buffer.alloc(64 * 1024)
  const descriptor = openSync(file, 'a')
  try {
    for (let size = chunk.length; size >= 512; ) {
      try {
        writeSync(descriptor, chunk, 0, size)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
        size /= 2
      }
    }
  } finally {
    closeSync(descriptor)
  }
  if (statfsSync(path.dirname(file)).bavail > 0) throw new Error('the small disk did not fill up')
}
