import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { prisma } from '../db'
import { env } from '../env'
import { AppError } from '../errors'
import { log } from '../kit/log'
import { extensionOf } from './shape'
import { requireFileSpace } from './space'
import { fileStore } from './store'

type NewFile = { ownerId: number; bytes: Uint8Array; contentType: string; name?: string }

/** How long a failing storage or database is retried. */
const RETRY_FOR_MS = 15_000
const RETRY_MS = 1_000

/**
 * Hosts a file for its owner at a permanent public URL that cannot be guessed (128 random bits).
 * The bytes come first: a crash leaves bytes without a row, never a link to nothing. Throws
 * `unavailable` when the storage or the database fails: the result is then not delivered, nor
 * charged; `invalid_request` where the account has no space left.
 */
export async function hostFile(file: NewFile): Promise<{ id: string; url: string }> {
  // Where the database does not say what there is, storing the row is tried for a while.
  await requireFileSpace(file.ownerId, file.bytes.byteLength).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'invalid_request') throw error
  })
  const extension = extensionOf(file.contentType)
  const id = `${randomBytes(16).toString('hex')}${extension ? `.${extension}` : ''}`
  const late = sleep(RETRY_FOR_MS, 'late' as const, { ref: false })
  const deadline = Date.now() + RETRY_FOR_MS
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

/** Writes bytes and row. Can be repeated. */
async function put(id: string, { ownerId, bytes, contentType, name }: NewFile): Promise<void> {
  await fileStore().put(id, bytes, contentType)
  const row = { id, ownerId, contentType, bytes: bytes.byteLength, name }
  await prisma().file.createMany({ data: row, skipDuplicates: true })
}

const notStored = (cause: Error): AppError =>
  new AppError('unavailable', 'The result could not be stored, so nothing was charged. Try again in a moment.', {
    retryAfter: 5,
    cause,
  })
