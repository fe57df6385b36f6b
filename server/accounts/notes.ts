import { inAct, prisma } from '../db'
import { AppError } from '../errors'
import { MAX_NOTES, type OwnerNotes } from './shape'

/** What every run of an owner is given. */
export async function readOwnerNotes(ownerId: number): Promise<OwnerNotes> {
  const row = await prisma().agentSettings.findUnique({ where: { ownerId } })
  return { notes: row?.notes ?? '', isForeign: row?.notesForeign ?? false }
}

/**
 * Replaces an owner's notes. Throws `conflict` where they are no longer what they were `before`.
 */
export async function saveOwnerNotes(
  ownerId: number,
  before: string,
  { notes, isForeign }: OwnerNotes,
): Promise<OwnerNotes> {
  await inAct(async (tx) => {
    await tx.agentSettings.createMany({ data: { ownerId }, skipDuplicates: true })
    const { count } = await tx.agentSettings.updateMany({
      where: { ownerId, notes: before || null },
      data: { notes: notes || null, notesForeign: isForeign && notes !== '', updatedAt: new Date() },
    })
    if (count === 0) throw new AppError('conflict', 'The notes have changed since. Read them again.')
  })
  return { notes, isForeign: isForeign && notes !== '' }
}

/**
 * Notes with one more line, which takes the place of another where that is still there. A line that
 * they have already is not added. Null: they would have too many characters; `drops`: the oldest
 * lines go instead.
 */
export function withLineOfNotes(
  notes: string,
  { text, replaces }: { text: string; replaces?: string },
  drops: boolean,
): string | null {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  const all = notes.split('\n').filter((one) => one !== '' && one !== replaces?.trim())
  const lines = all.includes(line) ? all : [...all, line]
  while (drops && lines.length > 1 && lines.join('\n').length > MAX_NOTES) lines.shift()
  const joined = lines.join('\n')
  return joined.length > MAX_NOTES ? null : joined
}
