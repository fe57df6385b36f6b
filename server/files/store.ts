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
  if (location.startsWith('s3://')) return s3Store(location)
  return diskStore(location.replace(/^file:(\/\/(?=\/))?/, ''))
}

export const fileStore = lazy<FileStore>(() => openFileStore(env().STORAGE_URL))
