import { prisma } from '../db'
import { log } from '../kit/log'
import { fileStore } from './store'

/** Deletes stored bytes, whenever they were written: nothing writes them again. */
export const removeBytes = (name: string): Promise<boolean> =>
  fileStore().remove({ name, at: new Date(Date.now() + 60_000) })

/**
 * Deletes a file that nobody was given a link to. Bytes first: a row whose bytes are gone is found
 * again when its account is deleted, bytes without a row are not. What fails is logged.
 */
export async function removeFile(ownerId: number, id: string): Promise<void> {
  try {
    if ((await prisma().file.count({ where: { id, ownerId } })) === 0) return
    await removeBytes(id)
    await prisma().file.deleteMany({ where: { id, ownerId } })
  } catch (error) {
    log.warn({ file: id, owner: ownerId, err: (error as Error).message }, 'a file could not be removed')
  }
}
