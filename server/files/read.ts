import { prisma } from '../db'
import type { ByteRange } from './shape'
import { isFileId } from './shape'
import { fileStore } from './store'

export type HostedFile = {
  contentType: string
  /** Size in bytes. */
  bytes: number
  /** A file never changes, so its id is its version. */
  etag: string
  /** Opens the content, or a part of it; null when it is gone. */
  open: (range?: ByteRange) => Promise<ReadableStream<Uint8Array> | null>
}

/** A hosted file, or null for an id that is not one of ours. Files are public to whoever has their id. */
export async function findHostedFile(id: string): Promise<HostedFile | null> {
  if (!isFileId(id)) return null
  const row = await prisma().file.findUnique({ where: { id }, select: { contentType: true, bytes: true } })
  if (!row) return null
  return { ...row, etag: `"${id}"`, open: (range) => fileStore().get(id, range) }
}
