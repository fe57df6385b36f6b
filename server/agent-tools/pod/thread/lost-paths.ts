import { createHash } from 'node:crypto'
import type { PodEntry, PodFiles } from '../pod-files'

/** The bytes that would be lost with an entry; null for a folder. */
export function bytesOf(entry: PodEntry): Uint8Array | null {
  if (entry.kind === 'folder') return null
  return entry.kind === 'file' ? entry.bytes : Buffer.from(`link to ${entry.to}`)
}

/** Whether content begins with other content. */
export const isStartOf = (short: Uint8Array, long: Uint8Array) =>
  long.byteLength >= short.byteLength && Buffer.compare(short, long.subarray(0, short.byteLength)) === 0

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('base64')

/**
 * Paths of `kept`, which is all or a part of `before`, whose content a command destroyed: it is
 * neither at its path, perhaps with more after it, nor at another path that the command wrote, as
 * after a move.
 */
export function lostPaths(before: PodFiles, after: PodFiles, kept: PodFiles = before): string[] {
  const gone: [path: string, bytes: Uint8Array][] = []
  for (const [path, entry] of kept) {
    const old = bytesOf(entry)
    const now = after.get(path)
    const kept = old === null || (now?.kind === entry.kind && isStartOf(old, bytesOf(now) ?? new Uint8Array()))
    if (!kept) gone.push([path, old])
  }
  if (gone.length === 0) return []
  const written = [...after].flatMap(([path, entry]) => {
    const bytes = bytesOf(entry)
    const was = before.get(path)
    return bytes && (!was || Buffer.compare(bytesOf(was) ?? new Uint8Array(), bytes) !== 0) ? [bytes] : []
  })
  const hashes = new Set(written.map(hashOf))
  return gone
    .filter(
      ([, bytes]) => !hashes.has(hashOf(bytes)) && !(bytes.byteLength > 0 && written.some((b) => isStartOf(bytes, b))),
    )
    .map(([path]) => path)
}
