import { prisma } from '../db'

/** When keys were last used, to the minute, by id; a key that never was is not in it. */
export async function readLastUse(keyIds: readonly number[]): Promise<Map<number, Date>> {
  const rows = await prisma().keyUse.findMany({ where: { keyId: { in: [...keyIds] } } })
  return new Map(rows.map(({ keyId, usedAt }) => [keyId, usedAt]))
}
