import { AppError } from '../../errors'
import { inThread } from '../../kit/thread'
import { unpacksWithinReason } from './pdf-size'

export type PdfText = { title: string | null; author: string | null; text: string; cut: boolean }

/** What the thread that reads a PDF answers. */
export type PdfRead = { kind: 'text'; pdf: PdfText } | { kind: 'locked' | 'unreadable' }

const THREAD = { name: 'pdf-thread', source: 'tools/web/pdf-thread.ts' }
/** Reading a PDF can be made to take for ever; a long honest one takes a few seconds. */
const BOUNDS = { timeoutMs: 20_000, heapMb: 512 }

const refuse = (why: string) => new AppError('upstream_error', why)

/**
 * The text of a PDF, page by page, pages apart by an empty line; read in a thread, so that no file holds up the process.
 * Throws `upstream_error` for what is no readable PDF, or takes too long or too much memory.
 */
export async function pdfText(bytes: Buffer, signal: AbortSignal): Promise<PdfText> {
  if (!unpacksWithinReason(bytes)) throw refuse('The PDF is too large once unpacked.')
  const read = await inThread<PdfRead>(THREAD, new Uint8Array(bytes), { ...BOUNDS, signal })
  switch (read.kind) {
    case 'late':
      throw refuse(`The PDF could not be read within ${BOUNDS.timeoutMs / 1000} s.`)
    case 'too_large':
      throw refuse('Reading the PDF takes too much memory.')
    case 'failed':
      throw new AppError('upstream_error', 'The file is not a readable PDF.', { cause: read.message })
    case 'done':
      break
    default:
      read satisfies never
  }
  const { value } = read
  if (value.kind === 'text') return value.pdf
  throw refuse(value.kind === 'locked' ? 'The PDF is protected with a password.' : 'The file is not a readable PDF.')
}
