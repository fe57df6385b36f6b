import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { prisma } from '../db'
import { env } from '../env'
import { AppError } from '../errors'
import { log } from '../kit/log'
import { extensionOf } from './shape'
import { fileStore } from './store'

type NewFile = { ownerId: number; bytes: Uint8Array; contentType: string }

/** Storage or database that fail are tried again, for so long in all, milliseconds. */
const PATIENCE_MS = 15_000
const RETRY_MS = 1_000

/**
 * Hosts a file for its owner at a permanent public URL that cannot be guessed (128 random bits).
 * Bytes first, then the row: a crash between leaves bytes nobody knows, never a link to nothing.
 * Throws `unavailable` when storage or database do not take it: what was made is then not delivered, so not charged.
 */
export async function hostFile(file: NewFile): Promise<{ id: string; url: string }> {
  const extension = extensionOf(file.contentType)
  const id = `${randomBytes(16).toString('hex')}${extension ? `.${extension}` : ''}`
  const late = sleep(PATIENCE_MS, 'late' as const, { ref: false })
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    const failure = await Promise.race([
      put(id, file).then(
        () => null,
        (error: Error) => error,
      ),
      late,
    ])
    if (failure === null) return { id, url: `${env().PUBLIC_URL}/files/${id}` }
    const cause = failure === 'late' ? new Error('out of time') : failure
    log.error({ file: id, owner: file.ownerId, err: cause.message }, 'a file could not be stored')
    if (failure === 'late' || Date.now() + RETRY_MS > deadline) throw notStored(cause)
    await sleep(RETRY_MS)
  }
}

/** Writes bytes and row. May be repeated. */
async function put(id: string, { ownerId, bytes, contentType }: NewFile): Promise<void> {
  await fileStore().put(id, bytes, contentType)
  const row = { id, ownerId, contentType, bytes: bytes.byteLength }
  await prisma().file.createMany({ data: row, skipDuplicates: true })
}

const notStored = (cause: Error): AppError =>
  new AppError('unavailable', 'The result could not be stored, so nothing was charged. Try again in a moment.', {
    retryAfter: 5,
    cause,
  })
