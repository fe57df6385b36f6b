import { randomBytes } from 'node:crypto'
import { prisma } from '../db'
import { env } from '../env'
import { extensionOf } from './shape'
import { store } from './store'

type NewFile = { ownerId: number; bytes: Uint8Array; contentType: string }

/**
 * Hosts a file for its owner at a permanent public URL that cannot be guessed (128 random bits).
 * Bytes first, then the row: a crash between leaves bytes nobody knows, never a link to nothing.
 */
export async function putFile({ ownerId, bytes, contentType }: NewFile): Promise<{ id: string; url: string }> {
  const extension = extensionOf(contentType)
  const id = `${randomBytes(16).toString('hex')}${extension ? `.${extension}` : ''}`
  await store().put(id, bytes, contentType)
  await prisma().file.create({ data: { id, ownerId, contentType, bytes: bytes.byteLength } })
  return { id, url: `${env().PUBLIC_URL}/files/${id}` }
}
