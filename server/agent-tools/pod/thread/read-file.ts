import { isUtf8 } from 'node:buffer'
import { podFileAt, resolvePodPath } from '../path'
import type { PodFiles } from '../pod-files'
import type { PodResults } from '../pod-tasks'

/** Bytes that one call gives. */
const MAX_PART = 256 * 1024

type Part = { encoding: 'text' | 'base64'; content: string; end: number }

/** A stretch of a file: as text, which ends with a whole character, or as base64 where it is no text. */
function partOf(bytes: Uint8Array, offset: number): Part {
  const most = Math.min(offset + MAX_PART, bytes.byteLength)
  // Only where the stretch is not the end of the file may a character go on behind it.
  const least = most < bytes.byteLength ? most - 3 : most
  for (let end = most; end >= least; end--) {
    const part = bytes.subarray(offset, end)
    if (isUtf8(part) && !part.includes(0)) return { encoding: 'text', content: Buffer.from(part).toString('utf8'), end }
  }
  return { encoding: 'base64', content: Buffer.from(bytes.subarray(offset, most)).toString('base64'), end: most }
}

type Where = { path: string; offset: number }

/** A part of a file of the pod. Throws `not_found` where there is none. */
export function readPodFile({ path, offset }: Where, pod: { files: PodFiles; cwd: string }): PodResults['read'] {
  const at = resolvePodPath(pod.cwd, path)
  const { bytes } = podFileAt(pod.files, at)
  const { encoding, content, end } = partOf(bytes, offset)
  return { path: at, bytes: bytes.byteLength, encoding, content, nextOffset: end < bytes.byteLength ? end : null }
}
