import type { OwnerNotes } from '../../accounts/shape'
import { prisma } from '../../db'
import { AppError } from '../../errors'

/** What the runs of a schedule have kept for the next one. */
export async function readScheduleNotes(ownerId: number, id: string): Promise<OwnerNotes> {
  const row = await prisma().schedule.findFirst({ where: { id, ownerId } })
  return { notes: row?.notes ?? '', isForeign: row?.notesForeign ?? false }
}

/**
 * Replaces the notes of a schedule. Throws `conflict` where they are no longer what they were
 * `before`; nothing is kept of a schedule that is gone.
 */
export async function saveScheduleNotes(
  { ownerId, scheduleId: id }: { ownerId: number; scheduleId: string },
  before: string,
  { notes, isForeign }: OwnerNotes,
): Promise<void> {
  const { count } = await prisma().schedule.updateMany({
    where: { id, ownerId, notes: before || null },
    data: { notes: notes || null, notesForeign: isForeign, updatedAt: new Date() },
  })
  if (count > 0) return
  const isThere = (await prisma().schedule.count({ where: { id, ownerId } })) > 0
  throw isThere
    ? new AppError('conflict', 'The notes have changed since.')
    : new AppError('not_found', 'The schedule of this run is gone.')
}
