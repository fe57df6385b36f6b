import { buffer } from 'node:stream/consumers'
import { prisma } from '../../db'
import { AppError } from '../../errors'
import { fileStore } from '../../files/store'
import type { RunIds } from '../../tools/flow'
import { POD_HOME, UPLOADS } from './pod-files'
import type { PackedPod } from './pod-tasks'

/** The pod of a conversation. `savedAt` is the version; null: there is no pod yet. */
export type PodState = PackedPod & { savedAt: Date | null }

export type PodOwner = { ownerId: number; jobId: string; run?: string | undefined; uploads?: RunIds['uploads'] }

/** Bytes of hosted files that a pod takes: what it stores in all is not much more. */
export const MAX_UPLOADED_BYTES = 12 * 1024 * 1024

/** The owner and the job of a call's pod. Throws `invalid_request` outside an agent run. */
export function podOwner({ ownerId, jobId, run }: { ownerId: number; jobId?: string; run?: RunIds }): PodOwner {
  if (jobId === undefined) throw new AppError('invalid_request', 'A shell belongs to a run of an agent.')
  return { ownerId, jobId, run: run?.id, uploads: run?.uploads }
}

/** The conversation's pod; empty where it does not exist yet. */
export async function loadPod({ ownerId, jobId, run, uploads = [] }: PodOwner): Promise<PodState> {
  const row = await prisma().pod.findUnique({ where: { jobId, ownerId } })
  // Whatever was stored since a goal was given has its files, or was made without them.
  const fresh = uploads.filter(({ at }) => !row || at > row.updatedAt)
  const files = { run, uploads: await readUploads(fresh) }
  if (!row) return { packed: null, cwd: POD_HOME, savedAt: null, ...files }
  return { packed: row.files, cwd: row.cwd, savedAt: row.updatedAt, ...files }
}

/** What people attached, as files of a pod; those beyond its size are left out. */
async function readUploads(uploads: NonNullable<RunIds['uploads']>): Promise<NonNullable<PackedPod['uploads']>> {
  const read: { path: string; bytes: Uint8Array; at: number }[] = []
  let left = MAX_UPLOADED_BYTES
  for (const { fileId, name, bytes, at } of uploads) {
    left -= bytes
    const stored = left < 0 ? null : await fileStore().get(fileId)
    const path = `${UPLOADS}/${name.replaceAll('/', '-')}`
    if (stored) read.push({ path, bytes: new Uint8Array(await buffer(stored)), at: at.getTime() })
  }
  return read
}

/**
 * Stores the new version of a pod. Throws `invalid_request` where another process has changed the
 * pod since `from`: then nothing is stored.
 */
export async function savePod({ ownerId, jobId }: PodOwner, from: PodState, to: { packed: Uint8Array; cwd: string }) {
  const now = new Date(Math.max(Date.now(), (from.savedAt?.getTime() ?? 0) + 1))
  const data = { files: new Uint8Array(to.packed), cwd: to.cwd, updatedAt: now }
  const { count } = from.savedAt
    ? await prisma().pod.updateMany({ where: { jobId, ownerId, updatedAt: from.savedAt }, data })
    : await prisma().pod.createMany({ data: [{ jobId, ownerId, ...data }], skipDuplicates: true })
  if (count === 0)
    throw new AppError('invalid_request', 'The shell was changed in the meantime. Nothing was stored: run it again.')
}

/** Deletes a pod. False when there was none. */
export async function deletePod({ ownerId, jobId }: PodOwner): Promise<boolean> {
  return (await prisma().pod.deleteMany({ where: { jobId, ownerId } })).count > 0
}
