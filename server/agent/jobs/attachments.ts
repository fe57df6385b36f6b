import { z } from 'zod'
import { prisma } from '../../db'
import { env } from '../../env'
import { AppError, invalidRequest } from '../../errors'
import { hostFile } from '../../files/put'
import { removeFile } from '../../files/remove'
import { sanitizeTextForPostgres } from '../../kit/sanitize-for-postgres'
import { decodeDataUri } from '../../tools/media/fetch-result'
import { probeImage } from '../../tools/media/probe'
import { readPdf } from '../../tools/web/pdf'
import { type Attachment, MAX_ATTACHED_BYTES } from '../shape'

/** What was attached to a goal, as its turn keeps it; `text` is what the model reads of a text. */
export const StoredAttachment = z.object({
  fileId: z.string(),
  name: z.string(),
  contentType: z.string(),
  bytes: z.int(),
  text: z.string().optional(),
})
export type StoredAttachment = z.infer<typeof StoredAttachment>

/** Characters of a text that its model reads. */
const MAX_TEXT_CHARS = 16_000

export const fileUrl = (fileId: string): string => `${env().PUBLIC_URL}/files/${fileId}`

/** What is attached as bytes; `text`: what a model reads of it, null for an image. */
type Content = { bytes: Buffer; contentType: string; text: string | null }
/** An attachment that was checked: its bytes, or a file that the account has. */
type Checked = { name: string } & (Content | { fileId: string })

/**
 * Checks what is attached to a goal. Throws `invalid_request` for what is not an image, a PDF with
 * text or a text, is too large, or is a file that the owner does not have.
 */
export async function checkAttachments(ownerId: number, given: readonly Attachment[] = []): Promise<Checked[]> {
  const checked: Checked[] = []
  for (const [i, attachment] of given.entries()) {
    const path = ['attachments', i]
    const name = attachment.name ?? `attachment ${i + 1}`
    if (attachment.data !== undefined)
      checked.push({ name, ...(await contentOf(ownerId, attachment.data, [...path, 'data'])) })
    else checked.push({ name, fileId: await ownFile(ownerId, attachment.fileId ?? '', [...path, 'fileId']) })
  }
  return checked
}

type Path = (string | number)[]

const refuse = (path: Path, message: string): never => {
  throw invalidRequest([{ path, message }])
}

async function contentOf(ownerId: number, data: string, path: Path): Promise<Content> {
  const bytes = decodeDataUri(data) ?? refuse(path, 'must be a data: URI in base64, such as data:image/png;base64,…')
  if (bytes.length === 0) refuse(path, 'must not be empty')
  if (bytes.length > MAX_ATTACHED_BYTES) refuse(path, `must have at most ${MAX_ATTACHED_BYTES} bytes`)
  const image = probeImage(bytes)
  if (image) return { bytes, contentType: image.contentType, text: null }
  if (bytes.subarray(0, PDF_HEAD).includes('%PDF-'))
    return { bytes, contentType: 'application/pdf', text: await pdfText(ownerId, bytes, path) }
  const type = /^data:([^;,]*)/i.exec(data)?.[1]?.toLowerCase() ?? ''
  const text = textOf(bytes) ?? refuse(path, 'must be a PNG, JPEG, WebP or GIF image, a PDF, or a text in UTF-8')
  return { bytes, contentType: type === 'text/csv' || type === 'application/json' ? type : 'text/plain', text }
}

/** Bytes in which a PDF says that it is one. */
const PDF_HEAD = 1_024

/** The text of a PDF. Throws `invalid_request` for one that cannot be read or has none. */
async function pdfText(ownerId: number, bytes: Buffer, path: Path): Promise<string> {
  const read = await readPdf(new Uint8Array(bytes), { ownerId }).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'upstream_error') return refuse(path, error.message)
    throw error
  })
  const { markdown } = read
  return markdown.trim() === '' ? refuse(path, 'is a PDF without text: attach its pages as images') : markdown
}

/** The text of some bytes; null: they are no text. */
function textOf(bytes: Buffer): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.includes('\0') ? null : text
  } catch {
    return null
  }
}

async function ownFile(ownerId: number, fileId: string, path: Path): Promise<string> {
  const file = await prisma().file.findFirst({ where: { id: fileId, ownerId }, select: { contentType: true } })
  if (!file) return refuse(path, 'is not a file of this account')
  if (!file.contentType.startsWith('image/')) refuse(path, 'must be an image')
  return fileId
}

/** Keeps what was attached as files of the account. Throws `unavailable` where that fails. */
export async function storeAttachments(ownerId: number, checked: readonly Checked[]): Promise<StoredAttachment[]> {
  return Promise.all(
    checked.map(async ({ name, ...file }) => {
      if ('fileId' in file) {
        const { contentType, bytes } = await prisma().file.findFirstOrThrow({ where: { id: file.fileId, ownerId } })
        return { fileId: file.fileId, name, contentType, bytes }
      }
      const { bytes, contentType, text } = file
      const { id } = await hostFile({ ownerId, bytes, contentType, name })
      const kept = text === null ? {} : { text: sanitizeTextForPostgres(cutText(text)) }
      return { fileId: id, name, contentType, bytes: bytes.length, ...kept }
    }),
  )
}

/** Removes the files kept for a start that was refused; those that the account had stay. */
export async function dropAttachments(
  ownerId: number,
  checked: readonly Checked[],
  stored: readonly StoredAttachment[],
): Promise<void> {
  const made = stored.filter((_, i) => checked[i] !== undefined && 'bytes' in checked[i])
  await Promise.all(made.map(({ fileId }) => removeFile(ownerId, fileId)))
}

const cutText = (text: string): string =>
  text.length <= MAX_TEXT_CHARS
    ? text
    : `${text.slice(0, MAX_TEXT_CHARS).toWellFormed()}\n[cut: the first ${MAX_TEXT_CHARS} of ${text.length} characters]`

const sizeText = (bytes: number) => (bytes < 1_024 ? `${bytes} bytes` : `${Math.ceil(bytes / 1_024)} KB`)

/** A goal with what was attached to it, as the model reads it. */
export const goalText = (goal: string, attachments: readonly StoredAttachment[]): string =>
  [
    goal,
    ...attachments.map(({ fileId, name, contentType, bytes, text }) => {
      const line = `[Attached: ${name} (${contentType}, ${sizeText(bytes)}), ${fileUrl(fileId)}]`
      return text === undefined ? line : `${line}\n${text}`
    }),
  ].join('\n\n')

/** What was attached to a goal, as pages show it. */
export const viewAttachments = (stored: unknown) =>
  z
    .array(StoredAttachment)
    .parse(stored ?? [])
    .map(({ fileId, name, contentType, bytes }) => ({ name, url: fileUrl(fileId), contentType, bytes }))
