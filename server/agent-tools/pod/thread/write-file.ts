import path from 'node:path'
import { AppError } from '../../../errors'
import { checkWritablePath, followLinks, resolvePodPath } from '../path'
import type { PodEntry, UnpackedPod } from '../pod-files'
import type { PodFileInput, PodResults } from '../pod-tasks'
import { packFiles } from './codec'

/** Decodes base64. Throws `invalid_request`. */
function decodeBase64(text: string): Buffer {
  const bare = text.replace(/\s+/g, '')
  if (/^[A-Za-z0-9+/]*={0,2}$/.test(bare) && bare.length % 4 === 0) return Buffer.from(bare, 'base64')
  throw new AppError('invalid_request', 'The content is not valid base64.')
}

/** Where and what a write would write, and the file that is there now. Throws `invalid_request`. */
function planOf(pod: UnpackedPod, { path: given, content, encoding, append }: PodFileInput) {
  const at = followLinks(pod.files, resolvePodPath(pod.cwd, given))
  checkWritablePath(pod.files, at)
  const bytes = encoding === 'base64' ? decodeBase64(content) : Buffer.from(content, 'utf8')
  const found = pod.files.get(at)
  const old = found?.kind === 'file' ? found : null
  const isOwn = pod.run !== undefined && old?.run === pod.run
  const isOther = old !== null && old.bytes.byteLength > 0 && Buffer.compare(old.bytes, bytes) !== 0
  const replaces = !append && !isOwn && isOther
  return { at, old, replaces, bytes: append && old ? Buffer.concat([old.bytes, bytes]) : bytes }
}

/** What a write would replace; null: nothing. An invalid write fails when it is made. */
export function planPodWrite(file: PodFileInput, pod: UnpackedPod): PodResults['plan'] {
  try {
    const { at, old, replaces, bytes } = planOf(pod, file)
    return old && replaces ? { path: at, oldBytes: old.bytes.byteLength, newBytes: bytes.byteLength } : null
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

/** Writes a file, and creates its folders. Throws `invalid_request`. */
export function writePodFile(
  { file, approved }: { file: PodFileInput; approved: boolean },
  pod: UnpackedPod,
): PodResults['write'] {
  const { at, old, replaces, bytes } = planOf(pod, file)
  if (!approved && replaces) return { kind: 'needs_approval', path: at }
  const files = new Map(pod.files)
  for (let folder = path.posix.dirname(at); folder !== '/'; folder = path.posix.dirname(folder)) {
    if (!files.has(folder)) files.set(folder, { kind: 'folder', mode: 0o755 })
  }
  const entry: PodEntry = {
    kind: 'file',
    bytes,
    mode: old?.mode ?? 0o644,
    mtimeMs: Date.now(),
    run: old && !replaces ? old.run : pod.run,
  }
  const packed = packFiles(files.set(at, entry))
  return { kind: 'written', path: at, bytes: bytes.byteLength, created: old === null, packed }
}
