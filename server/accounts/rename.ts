import { inAct } from '../db'

/** What an owner's account is called; an empty name removes it. */
export async function renameOwner(id: number, name: string): Promise<void> {
  await inAct((tx) => tx.owner.update({ where: { id }, data: { name: name === '' ? null : name } }))
}
