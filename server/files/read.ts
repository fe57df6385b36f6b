import { prisma } from '../db'
import { type HostedFile, isFileId } from './shape'
import { fileStore } from './store'

/** A hosted file, or null for an unknown id. Files are public to whoever has their id. */
export async function findHostedFile(id: string): Promise<HostedFile | null> {
  if (!isFileId(id)) return null
  const row = await prisma().file.findUnique({ where: { id }, select: { contentType: true, bytes: true } })
  if (!row) return null
  return { ...row, etag: `"${id}"`, open: (range) => fileStore().get(id, range) }
}
