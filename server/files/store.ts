import { env } from '../env'
import { once } from '../kit/once'
import { diskStore } from './disk'
import { s3Store } from './s3'
import type { Store } from './shape'

/** The store of a STORAGE_URL: `file:<folder, relative to the working directory>` or `s3://…` (see s3.ts). */
export function openStore(location: string): Store {
  if (location.startsWith('s3://')) return s3Store(location)
  return diskStore(location.replace(/^file:(\/\/(?=\/))?/, ''))
}

export const store = (): Store => once('files', () => openStore(env().STORAGE_URL))
