import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { z } from 'zod'
import { prisma } from '../../../db'
import { AppError } from '../../../errors'
import { HOME, type PodEntry, type PodFiles } from './driver'

/** What a pod may keep between two commands. */
export const MOST_BYTES = 16 * 1024 * 1024
export const MOST_ENTRIES = 20_000

/** What a pod of a conversation is now. `savedAt` names this state; null: there is none yet. */
export type Pod = { files: PodFiles; cwd: string; savedAt: Date | null }

export type PodOwner = { ownerId: number; jobId: string }

const Stored = z.record(
  z.string(),
  z.union([
    z.object({ base64: z.string(), mode: z.int(), at: z.number() }),
    z.object({ folder: z.int() }),
    z.object({ to: z.string() }),
  ]),
)
type Stored = z.infer<typeof Stored>

/** Whose pod a call is about. Throws `invalid_request` outside a conversation: a pod is part of one. */
export function podOwner({ ownerId, conversationId }: { ownerId: number; conversationId?: string }): PodOwner {
  if (conversationId === undefined) throw new AppError('invalid_request', 'A shell belongs to a run of an agent.')
  return { ownerId, jobId: conversationId }
}

/** The conversation's pod; an empty one where it has none. */
export async function loadPod({ ownerId, jobId }: PodOwner): Promise<Pod> {
  const row = await prisma().pod.findUnique({ where: { jobId, ownerId } })
  if (!row) return { files: new Map(), cwd: HOME, savedAt: null }
  const text = (await promisify(gunzip)(row.files)).toString('utf8')
  const stored = Stored.parse(JSON.parse(text))
  const files = new Map(Object.entries(stored).map(([path, entry]) => [path, thaw(entry)]))
  return { files, cwd: row.cwd, savedAt: row.updatedAt }
}

/**
 * Keeps a pod's new state in the place of the one it was made from. Throws `invalid_request` beyond a limit, or where
 * another process has changed the pod since: then nothing is kept.
 */
export async function savePod({ ownerId, jobId }: PodOwner, from: Pod, { files, cwd }: Omit<Pod, 'savedAt'>) {
  checkSize(files)
  const stored = Object.fromEntries([...files].map(([path, entry]) => [path, freeze(entry)]))
  const packed = new Uint8Array(await promisify(gzip)(JSON.stringify(stored), { level: 1 }))
  const now = new Date(Math.max(Date.now(), (from.savedAt?.getTime() ?? 0) + 1))
  const data = { files: packed, cwd, updatedAt: now }
  const { count } = from.savedAt
    ? await prisma().pod.updateMany({ where: { jobId, ownerId, updatedAt: from.savedAt }, data })
    : await prisma().pod.createMany({ data: [{ jobId, ownerId, ...data }], skipDuplicates: true })
  if (count === 0)
    throw new AppError('invalid_request', 'The shell was changed meanwhile. Nothing was kept: run it again.')
}

/** Ends a pod; false when there was none. */
export async function dropPod({ ownerId, jobId }: PodOwner): Promise<boolean> {
  return (await prisma().pod.deleteMany({ where: { jobId, ownerId } })).count > 0
}

/** Bytes of all files of a pod. */
export const bytesIn = (files: PodFiles): number =>
  [...files.values()].reduce((sum, entry) => sum + (entry.kind === 'file' ? entry.bytes.byteLength : 0), 0)

function checkSize(files: PodFiles): void {
  const bytes = bytesIn(files)
  if (bytes > MOST_BYTES) {
    const most = `${MOST_BYTES / 1024 / 1024} MiB`
    throw new AppError(
      'invalid_request',
      `The shell keeps ${most} of files; these have ${bytes} bytes. Nothing was kept.`,
    )
  }
  if (files.size > MOST_ENTRIES) {
    throw new AppError(
      'invalid_request',
      `The shell keeps ${MOST_ENTRIES} files and folders; these are ${files.size}. Nothing was kept.`,
    )
  }
}

function freeze(entry: PodEntry): Stored[string] {
  if (entry.kind === 'folder') return { folder: entry.mode }
  if (entry.kind === 'link') return { to: entry.to }
  return { base64: Buffer.from(entry.bytes).toString('base64'), mode: entry.mode, at: entry.mtimeMs }
}

function thaw(entry: Stored[string]): PodEntry {
  if ('folder' in entry) return { kind: 'folder', mode: entry.folder }
  if ('to' in entry) return { kind: 'link', to: entry.to }
  return { kind: 'file', bytes: Buffer.from(entry.base64, 'base64'), mode: entry.mode, mtimeMs: entry.at }
}
