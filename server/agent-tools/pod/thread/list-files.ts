import { isUtf8 } from 'node:buffer'
import path from 'node:path'
import { AppError } from '../../../errors'
import { followLinks, resolvePodPath } from '../path'
import { POD_HOME, type PodFiles } from '../pod-files'
import type { PodResults } from '../pod-tasks'
import { podBytes } from './codec'

/** Files that one call lists at most. */
const MAX_LISTED = 1_000

/** A folder's path with a slash at its end. Throws `not_found`. */
function folderAt(folder: string, { files, cwd }: { files: PodFiles; cwd: string }): string {
  const at = followLinks(files, resolvePodPath(cwd, folder))
  const isThere = at === '/' || at === POD_HOME || at === '/tmp' || files.get(at)?.kind === 'folder'
  if (!isThere) throw new AppError('not_found', `There is no folder ${at}.`)
  return at === '/' ? '/' : `${at}/`
}

/**
 * The files of a folder and its subfolders, or one file, with their content. Throws `not_found`.
 */
export function collectPodFiles(folder: string, pod: { files: PodFiles; cwd: string }): PodResults['collect'] {
  const given = followLinks(pod.files, resolvePodPath(pod.cwd, folder))
  const one = pod.files.get(given)
  if (one?.kind === 'file') return [contentOf(path.posix.basename(given), one.bytes)]
  const below = folderAt(folder, pod)
  return [...pod.files].flatMap(([at, entry]) =>
    entry.kind === 'file' && at.startsWith(below) ? [contentOf(at.slice(below.length), entry.bytes)] : [],
  )
}

function contentOf(at: string, given: Uint8Array): PodResults['collect'][number] {
  const bytes = Buffer.from(given)
  const isText = isUtf8(bytes) && !bytes.includes(0)
  return isText ? { path: at, content: bytes.toString('utf8') } : { path: at, base64: bytes.toString('base64') }
}

/** The files in a folder and its subfolders. Throws `not_found`. */
export function listPodFiles(folder: string, pod: { files: PodFiles; cwd: string }): PodResults['list'] {
  const { files, cwd } = pod
  const below = folderAt(folder, pod)
  const found = [...files].flatMap(([path, entry]) => {
    if (entry.kind === 'folder' || !path.startsWith(below)) return []
    return entry.kind === 'file' ? [{ path, bytes: entry.bytes.byteLength }] : [{ path, bytes: 0, link: entry.to }]
  })
  return { cwd, files: found.slice(0, MAX_LISTED), total: found.length, bytes: podBytes(files) }
}
