import { isUtf8 } from 'node:buffer'
import { podFileAt, resolvePodPath } from '../path'
import type { PodFiles } from '../pod-files'
import type { PodResults } from '../pod-tasks'

/** Bytes that one call returns at most. */
const MAX_PART = 256 * 1024

type Part = { encoding: 'text' | 'base64'; content: string; end: number }

/** Part of a file as text that ends with a whole character, or as base64 where it is not text. */
function partOf(bytes: Uint8Array, offset: number): Part {
  const maxEnd = Math.min(offset + MAX_PART, bytes.byteLength)
  // Before the end of the file, the part may end inside a character of up to 4 bytes.
  const minEnd = maxEnd < bytes.byteLength ? maxEnd - 3 : maxEnd
  for (let end = maxEnd; end >= minEnd; end--) {
    const part = bytes.subarray(offset, end)
    if (isUtf8(part) && !part.includes(0)) return { encoding: 'text', content: Buffer.from(part).toString('utf8'), end }
  }
  return { encoding: 'base64', content: Buffer.from(bytes.subarray(offset, maxEnd)).toString('base64'), end: maxEnd }
}

type Where = { path: string; offset: number }

/** Part of a file of the pod. Throws `not_found`. */
export function readPodFile({ path, offset }: Where, pod: { files: PodFiles; cwd: string }): PodResults['read'] {
  const at = resolvePodPath(pod.cwd, path)
  const { bytes } = podFileAt(pod.files, at)
  const { encoding, content, end } = partOf(bytes, offset)
  return { path: at, bytes: bytes.byteLength, encoding, content, nextOffset: end < bytes.byteLength ? end : null }
}
