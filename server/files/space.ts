import { runRead } from '../db'
import { env } from '../env'
import { AppError } from '../errors'
import { statement } from '../kit/statement'

const GB = 1_000_000_000

const USED = statement({
  name: 'files_used',
  sql: 'SELECT coalesce(sum(bytes), 0)::bigint AS bytes FROM file WHERE owner_id = $1',
  params: ['int'],
  columns: { bytes: 'bigint' },
})

/** What an account's files take, bytes, and what they may; null: as much as there is. */
export type FileSpace = { used: number; max: number | null }

/** The file space of an account: files, images and videos of runs and tools, and attachments. */
export async function fileSpace(ownerId: number): Promise<FileSpace> {
  const [row] = await runRead(USED, [ownerId])
  const max = env().OWNER_FILES_GB * GB
  return { used: Number(row?.bytes ?? 0), max: max === 0 ? null : max }
}

/**
 * Throws `invalid_request` where an account has no space for another file of so many bytes: also
 * before something is paid that would make one.
 */
export async function requireFileSpace(ownerId: number, bytes = 0): Promise<void> {
  if (env().OWNER_FILES_GB === 0) return
  const { used, max } = await fileSpace(ownerId)
  if (max === null || used + bytes <= max) return
  throw new AppError(
    'invalid_request',
    `The files of an account may take ${max / GB} GB, and this one's take ${(used / GB).toFixed(2)}. Delete some first.`,
  )
}
