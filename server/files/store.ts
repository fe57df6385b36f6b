import { env } from '../env'
import { lazy } from '../kit/lazy'
import { diskStore } from './disk'
import { s3Store } from './s3'
import type { FileStore } from './shape'

/**
 * The store of a STORAGE_URL: `file:<folder, relative to the working directory>` or `s3://…` (see
 * s3.ts).
 */
export function openFileStore(location: string): FileStore {
  const folder = diskFolder(location)
  return folder === null ? s3Store(location) : diskStore(folder)
}

/** The folder of a STORAGE_URL; null: it is a bucket. */
export const diskFolder = (location: string): string | null =>
  location.startsWith('s3://') ? null : location.replace(/^file:(\/\/(?=\/))?/, '')

export const fileStore = lazy<FileStore>(() => openFileStore(env().STORAGE_URL))
