import { noDataset } from '../../agent-tools/data/store'
import { inAct, prisma } from '../../db'
import { AppError, invalidRequest } from '../../errors'
import { removeBytes } from '../../files/remove'

/** Deletes an account's dataset. Throws `not_found`. */
export const removeDataset = (ownerId: number, name: string): Promise<{ name: string }> =>
  inAct(async (tx) => {
    const { count } = await tx.dataset.deleteMany({ where: { ownerId, name } })
    if (count === 0) throw noDataset(name)
    return { name }
  })

/**
 * Gives a dataset another name. Throws `not_found`, and `invalid_request` for one that is taken.
 */
export const renameDataset = (
  ownerId: number,
  { name, newName }: { name: string; newName: string },
): Promise<{ name: string }> =>
  inAct(async (tx) => {
    const isTaken = newName !== name && (await tx.dataset.count({ where: { ownerId, name: newName } })) > 0
    if (isTaken) throw invalidRequest([{ path: ['newName'], message: 'is the name of another dataset' }])
    const { count } = await tx.dataset.updateMany({ where: { ownerId, name }, data: { name: newName } })
    if (count === 0) throw noDataset(name)
    return { name: newName }
  })

/**
 * Deletes a file of an account: its address is 404 from then on, and runs do not name it any more.
 * Bytes first: a row whose bytes are gone can be deleted again, bytes without a row cannot. Throws
 * `not_found`, and `unavailable` where the storage fails: the file is still there then.
 */
export async function deleteFile(ownerId: number, id: string): Promise<{ id: string }> {
  const missing = () => new AppError('not_found', 'There is no such file.')
  if ((await prisma().file.count({ where: { id, ownerId } })) === 0) throw missing()
  await removeBytes(id).catch((cause: unknown) => {
    throw new AppError('unavailable', 'The file could not be deleted. Try again in a moment.', { retryAfter: 5, cause })
  })
  return inAct(async (tx) => {
    const { count } = await tx.file.deleteMany({ where: { id, ownerId } })
    if (count === 0) throw missing()
    await tx.artifact.deleteMany({ where: { ref: id, kind: { in: ['file', 'image', 'video'] }, job: { ownerId } } })
    return { id }
  })
}
