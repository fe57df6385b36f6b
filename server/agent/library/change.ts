import { noDataset } from '../../agent-tools/data/store'
import { inAct } from '../../db'
import { invalidRequest } from '../../errors'

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
