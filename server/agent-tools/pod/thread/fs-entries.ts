import { isSystemPath, type PodEntry, type PodFiles } from '../pod-files'
import type { PodFs } from './pod-fs'

/** Puts entries into a file system; folders come before what is in them. */
export async function writeEntries(fs: PodFs, files: PodFiles): Promise<void> {
  for (const [path, entry] of files) {
    if (entry.kind === 'folder') {
      await fs.mkdir(path, { recursive: true })
      await fs.chmod(path, entry.mode)
    } else if (entry.kind === 'file') {
      fs.writeFileSync(path, entry.bytes, undefined, { mode: entry.mode, mtime: new Date(entry.mtimeMs) })
    } else {
      await fs.symlink(entry.to, path)
    }
  }
}

/** What a file system holds, without the system's own and sorted by path. */
export async function readEntries(fs: PodFs): Promise<PodFiles> {
  const found = new Map<string, PodEntry>()
  for (const path of fs.getAllPaths().sort()) {
    if (path === '/' || isSystemPath(path)) continue
    const stat = await fs.lstat(path)
    const mode = stat.mode & 0o777
    if (stat.isSymbolicLink) found.set(path, { kind: 'link', to: await fs.readlink(path) })
    else if (stat.isDirectory) found.set(path, { kind: 'folder', mode })
    else found.set(path, { kind: 'file', bytes: await fs.readFileBuffer(path), mode, mtimeMs: stat.mtime.getTime() })
  }
  return found
}
