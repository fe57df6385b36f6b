import { existsSync, mkdirSync } from 'node:fs'
import path from 'node:path'

/**
 * Makes a folder and those above it, where they are missing. Throws what the system says: Node's
 * own `recursive` reports a read-only file system as ENOENT.
 */
export function makeFolder(folder: string, mode?: number): void {
  if (existsSync(folder)) return
  makeFolder(path.dirname(path.resolve(folder)), mode)
  try {
    mkdirSync(folder, { mode })
  } catch (error) {
    // Another process was faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
