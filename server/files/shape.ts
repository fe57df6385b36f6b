/** Extensions of the content types that we make. Others have none. */
const EXTENSIONS: Record<string, string> = {
  'application/json': 'json',
  'application/pdf': 'pdf',
  'audio/mpeg': 'mp3',
  'image/gif': 'gif',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/svg+xml': 'svg',
  'image/webp': 'webp',
  'text/csv': 'csv',
  'text/plain': 'txt',
  'video/mp4': 'mp4',
  'video/webm': 'webm',
}

const ID = /^[0-9a-f]{32}(\.[a-z0-9]{1,5})?$/

/** True for the form of our ids, which cannot be part of a path elsewhere. */
export const isFileId = (text: string): boolean => ID.test(text)

/**
 * True for names that we store: files, and drafts that a crash left. A store may hold files of
 * others.
 */
export const isStoredName = (name: string): boolean => isFileId(name.replace(/\.[0-9a-f-]{36}\.part$/, ''))

export const extensionOf = (contentType: string): string | undefined =>
  EXTENSIONS[contentType.split(';')[0]?.trim().toLowerCase() ?? '']

/** The first and the last byte of a part of a file. */
type ByteRange = { start: number; end: number }

/** A stored name, usually a file's id, and when it was last written. */
export type StoredObject = { name: string; at: Date }

/** Stores the bytes of files. Ids are safe as file names. `get` returns null for an unknown one. */
export type FileStore = {
  /** The next names after a name, in order; empty at the end. */
  list: (after: string) => Promise<StoredObject[]>
  /** Deletes an object that was not written since `at`; false when it was, or does not exist. */
  remove: (stored: StoredObject) => Promise<boolean>
  put: (id: string, bytes: Uint8Array, contentType: string) => Promise<void>
  get: (id: string, range?: ByteRange) => Promise<ReadableStream<Uint8Array> | null>
}

export type HostedFile = {
  contentType: string
  /** Size in bytes. */
  bytes: number
  /** A file never changes, so its id is its version. */
  etag: string
  /** Opens the content, or a part of it; null when it is no longer stored. */
  open: (range?: ByteRange) => Promise<ReadableStream<Uint8Array> | null>
}
