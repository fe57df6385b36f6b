import { createHash } from 'node:crypto'
import { AppError } from '../errors'
import { contentTypeOf } from './content-type'
import { checkPathsCompatible, parseSitePath } from './path'
import { MAX_SITE_BYTES, MAX_SITE_FILE_BYTES, MAX_SITE_FILES, type SiteFile, type SiteFileInput } from './shape'

/** A file to be published. */
export type DraftFile = SiteFile & { content: Uint8Array }

const mib = (bytes: number) => `${bytes / 1024 / 1024} MiB`

/**
 * The files of a new version, checked and in the order of their paths. Equal bytes of one owner
 * have one `fileId`, so that publishing twice stores once. Throws `invalid_request`, or
 * `payload_too_large` beyond a limit.
 */
export function makeDraft(ownerId: number, files: readonly SiteFileInput[]): DraftFile[] {
  if (files.length === 0) throw new AppError('invalid_request', 'A site needs at least one file.')
  if (files.length > MAX_SITE_FILES) {
    throw new AppError('payload_too_large', `A site may have ${MAX_SITE_FILES} files; these are ${files.length}.`)
  }
  const draft = files.map((file) => draftFile(ownerId, file))
  const total = draft.reduce((sum, { bytes }) => sum + bytes, 0)
  if (total > MAX_SITE_BYTES) {
    throw new AppError('payload_too_large', `A site may have ${mib(MAX_SITE_BYTES)}; these files have ${total} bytes.`)
  }
  checkPathsCompatible(draft.map(({ path }) => path))
  return draft.sort((a, b) => (a.path < b.path ? -1 : 1))
}

function draftFile(ownerId: number, given: SiteFileInput): DraftFile {
  const path = parseSitePath(given.path)
  const content = bytesOf(path, given)
  if (content.byteLength > MAX_SITE_FILE_BYTES) {
    throw new AppError('payload_too_large', `A file may have ${mib(MAX_SITE_FILE_BYTES)}: ${path} is larger.`)
  }
  const hash = createHash('sha256').update(`${ownerId}\n`).update(content).digest('hex')
  return {
    path,
    fileId: hash.slice(0, 32),
    contentType: contentTypeOf(path),
    bytes: content.byteLength,
    content,
  }
}

function bytesOf(path: string, { content, base64 }: SiteFileInput): Uint8Array {
  if ((content === undefined) === (base64 === undefined)) {
    throw new AppError('invalid_request', `Give ${path} either content or base64.`)
  }
  if (content !== undefined) return Buffer.from(content, 'utf8')
  const text = (base64 ?? '').replace(/\s+/g, '')
  // Buffer accepts any text as base64 and drops what is invalid.
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0) {
    throw new AppError('invalid_request', `The base64 of ${path} is not valid.`)
  }
  return Buffer.from(text, 'base64')
}
