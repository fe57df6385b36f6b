import { env } from '../env'
import { once } from '../kit/once'
import { diskStore } from './disk'
import { s3Store } from './s3'

/** A stretch of a file: the first and the last byte that belong to it. */
export type ByteRange = { start: number; end: number }

/** Where the bytes of files are. Ids are safe as file names; `get` answers null for what is not there. */
export type Store = {
  put: (id: string, bytes: Uint8Array, contentType: string) => Promise<void>
  get: (id: string, range?: ByteRange) => Promise<ReadableStream<Uint8Array> | null>
}

/** The store of a STORAGE_URL: `file:<folder, relative to the working directory>` or `s3://…` (see s3.ts). */
export function openStore(location: string): Store {
  if (location.startsWith('s3://')) return s3Store(location)
  return diskStore(location.replace(/^file:(\/\/(?=\/))?/, ''))
}

export const store = (): Store => once('files', () => openStore(env().STORAGE_URL))
