import { prisma } from '../../db'
import { AppError } from '../../errors'
import { POD_HOME } from './pod-files'
import type { PackedPod } from './pod-tasks'

/** What a pod of a conversation is now. `savedAt` names this state; null: there is none yet. */
export type PodState = PackedPod & { savedAt: Date | null }

export type PodOwner = { ownerId: number; jobId: string }

/** Whose pod a call is about. Throws `invalid_request` outside a conversation: a pod is part of one. */
export function podOwner({ ownerId, jobId }: { ownerId: number; jobId?: string }): PodOwner {
  if (jobId === undefined) throw new AppError('invalid_request', 'A shell belongs to a run of an agent.')
  return { ownerId, jobId }
}

/** The conversation's pod; an empty one where it has none. */
export async function loadPod({ ownerId, jobId }: PodOwner): Promise<PodState> {
  const row = await prisma().pod.findUnique({ where: { jobId, ownerId } })
  if (!row) return { packed: null, cwd: POD_HOME, savedAt: null }
  return { packed: row.files, cwd: row.cwd, savedAt: row.updatedAt }
}

/**
 * Keeps a pod's new state in the place of the one it was made from. Throws `invalid_request` where another process has
 * changed the pod since: then nothing is kept.
 */
export async function savePod({ ownerId, jobId }: PodOwner, from: PodState, to: { packed: Uint8Array; cwd: string }) {
  const now = new Date(Math.max(Date.now(), (from.savedAt?.getTime() ?? 0) + 1))
  const data = { files: new Uint8Array(to.packed), cwd: to.cwd, updatedAt: now }
  const { count } = from.savedAt
    ? await prisma().pod.updateMany({ where: { jobId, ownerId, updatedAt: from.savedAt }, data })
    : await prisma().pod.createMany({ data: [{ jobId, ownerId, ...data }], skipDuplicates: true })
  if (count === 0)
    throw new AppError('invalid_request', 'The shell was changed meanwhile. Nothing was kept: run it again.')
}

/** Ends a pod; false when there was none. */
export async function deletePod({ ownerId, jobId }: PodOwner): Promise<boolean> {
  return (await prisma().pod.deleteMany({ where: { jobId, ownerId } })).count > 0
}
