import { gunzipSync, gzipSync } from 'node:zlib'
import { z } from 'zod'
import { AppError } from '../../../errors'
import type { PodEntry, PodFiles } from '../pod-files'

/** Limits of a stored pod. */
const MAX_BYTES = 16 * 1024 * 1024
const MAX_ENTRIES = 20_000

const Stored = z.record(
  z.string(),
  z.union([
    z.object({ base64: z.string(), mode: z.int(), at: z.number(), run: z.string().optional() }),
    z.object({ folder: z.int() }),
    z.object({ to: z.string(), run: z.string().optional() }),
  ]),
)
type Stored = z.infer<typeof Stored>

/** A pod's files as they are stored. Throws `invalid_request` beyond a limit. */
export function packFiles(files: PodFiles): Uint8Array {
  checkSize(files)
  const stored = Object.fromEntries([...files].map(([path, entry]) => [path, toStored(entry)]))
  return new Uint8Array(gzipSync(JSON.stringify(stored), { level: 1 }))
}

/** The files in what `packFiles` returned. */
export function unpackFiles(packed: Uint8Array | null): PodFiles {
  if (!packed) return new Map()
  const stored = Stored.parse(JSON.parse(gunzipSync(packed).toString('utf8')))
  return new Map(Object.entries(stored).map(([path, entry]) => [path, fromStored(entry)]))
}

/** Bytes of all files of a pod. */
export const podBytes = (files: PodFiles): number =>
  [...files.values()].reduce((sum, entry) => sum + (entry.kind === 'file' ? entry.bytes.byteLength : 0), 0)

function checkSize(files: PodFiles): void {
  const refuse = (what: string) => new AppError('invalid_request', `${what} Nothing was stored.`)
  const bytes = podBytes(files)
  if (bytes > MAX_BYTES)
    throw refuse(`The shell stores ${MAX_BYTES / 1024 / 1024} MiB of files; these have ${bytes} bytes.`)
  if (files.size > MAX_ENTRIES)
    throw refuse(`The shell stores ${MAX_ENTRIES} files and folders; there are ${files.size}.`)
}

function toStored(entry: PodEntry): Stored[string] {
  if (entry.kind === 'folder') return { folder: entry.mode }
  if (entry.kind === 'link') return { to: entry.to, run: entry.run }
  return { base64: Buffer.from(entry.bytes).toString('base64'), mode: entry.mode, at: entry.mtimeMs, run: entry.run }
}

function fromStored(entry: Stored[string]): PodEntry {
  if ('folder' in entry) return { kind: 'folder', mode: entry.folder }
  if ('to' in entry) return { kind: 'link', to: entry.to, run: entry.run }
  const { base64, mode, at: mtimeMs, run } = entry
  return { kind: 'file', bytes: Buffer.from(base64, 'base64'), mode, mtimeMs, run }
}
