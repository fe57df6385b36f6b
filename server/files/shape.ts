/** File extension by content type: what we make ourselves. Anything else has none. */
const EXTENSIONS: Record<string, string> = {
  'application/json': 'json',
  'application/pdf': 'pdf',
  'audio/mpeg': 'mp3',
  'image/gif': 'gif',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'text/csv': 'csv',
  'text/plain': 'txt',
  'video/mp4': 'mp4',
  'video/webm': 'webm',
}

const ID = /^[0-9a-f]{32}(\.[a-z0-9]{1,5})?$/

/** True for the form our ids have, which holds nothing a path could be made of. */
export const isFileId = (text: string): boolean => ID.test(text)

/** True for what a store of ours holds: files, and drafts that a crash left. Other people's files may lie beside them. */
export const isStoredName = (name: string): boolean => isFileId(name.replace(/\.[0-9a-f-]{36}\.part$/, ''))

export const extensionOf = (contentType: string): string | undefined =>
  EXTENSIONS[contentType.split(';')[0]?.trim().toLowerCase() ?? '']

/** A stretch of a file: the first and the last byte that belong to it. */
export type ByteRange = { start: number; end: number }

/** What a store holds under a name, mostly a file's id, and when it was last written. */
export type StoredObject = { name: string; at: Date }

/** Where the bytes of files are. Ids are safe as file names; `get` answers null for what is not there. */
export type FileStore = {
  /** Some of what is stored, by name, after a name; none are left when it is empty. */
  list: (after: string) => Promise<StoredObject[]>
  /** Deletes what was not written since `at`; false when it was, or is not there. */
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
