import { prisma, runRead } from '../db'
import { AppError } from '../errors'
import { statement } from '../kit/statement'

const OWNER_OF_ID = statement({
  name: 'operators_owner_of_id',
  sql: `SELECT coalesce((SELECT owner_id FROM receipt WHERE id = $1), (SELECT owner_id FROM hold WHERE id = $1),
      (SELECT owner_id FROM job WHERE id = $1), (SELECT owner_id FROM turn WHERE run_id = $1)) AS "ownerId"`,
  params: ['uuid'],
  columns: { ownerId: 'int?' },
})

/** Whose request, call in progress, job or run has this id, a UUID; null: nobody's. */
export async function findOwnerOfId(id: string): Promise<number | null> {
  const [row] = await runRead(OWNER_OF_ID, [id])
  return row?.ownerId ?? null
}

/** The owner of an id, as an operator's acts name it. Throws `not_found`. */
export async function getOwner(ownerId: number): Promise<{ id: number; email: string; isAdmin: boolean }> {
  const owner = await prisma().owner.findUnique({
    where: { id: ownerId },
    select: { id: true, email: true, isAdmin: true },
  })
  if (!owner) throw new AppError('not_found', 'There is no such owner.')
  return owner
}
