import { AppError } from '../../../errors'
import { followLinks, resolvePodPath } from '../path'
import { POD_HOME, type PodFiles } from '../pod-files'
import type { PodResults } from '../pod-tasks'
import { podBytes } from './codec'

/** Files that one call lists at most. */
const MAX_LISTED = 1_000

/** The files in a folder and its subfolders. Throws `not_found`. */
export function listPodFiles(folder: string, { files, cwd }: { files: PodFiles; cwd: string }): PodResults['list'] {
  const at = followLinks(files, resolvePodPath(cwd, folder))
  const isThere = at === '/' || at === POD_HOME || at === '/tmp' || files.get(at)?.kind === 'folder'
  if (!isThere) throw new AppError('not_found', `There is no folder ${at}.`)
  const below = at === '/' ? '/' : `${at}/`
  const found = [...files].flatMap(([path, entry]) => {
    if (entry.kind === 'folder' || !path.startsWith(below)) return []
    return entry.kind === 'file' ? [{ path, bytes: entry.bytes.byteLength }] : [{ path, bytes: 0, link: entry.to }]
  })
  return { cwd, files: found.slice(0, MAX_LISTED), total: found.length, bytes: podBytes(files) }
}
