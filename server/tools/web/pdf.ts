import { AppError } from '../../errors'
import type { Parser } from '../../kit/threads/parser'
import { type ParseOptions, parseInThread } from '../parse'
import type { PageRead } from './read-page'

/** What the thread that reads a PDF returns. */
export type PdfRead = { kind: 'text'; page: PageRead } | { kind: 'locked' | 'unreadable' | 'too_large' }

/**
 * A long honest file takes a few seconds. The thread ends with each file: a font or a stream may
 * stay behind.
 */
const PDF: Parser = { file: 'pdf-thread', lane: 'heavy', reused: false, cpuMs: 15_000, wallMs: 50_000, memoryMb: 224 }

const refuse = (why: string, cause?: string) => new AppError('upstream_error', why, { reason: 'unreadable', cause })

/**
 * The text of a PDF, page by page, pages apart by an empty line; measured and read in a thread.
 * Throws `upstream_error` for what is no readable PDF, or takes too long or too much memory.
 */
export async function readPdf(bytes: Uint8Array, parseFor: ParseOptions): Promise<PageRead> {
  const outcome = await parseInThread<PdfRead>(PDF, bytes, parseFor)
  switch (outcome.kind) {
    case 'out_of_time':
      throw refuse('The PDF takes too long to read.')
    case 'out_of_memory':
      throw refuse('Reading the PDF takes too much memory.')
    case 'failed':
      throw refuse('The file is not a readable PDF.', outcome.message)
    case 'done':
      break
    default:
      outcome satisfies never
  }
  const { value } = outcome
  switch (value.kind) {
    case 'text':
      return value.page
    case 'locked':
      throw refuse('The PDF is protected with a password.')
    case 'too_large':
      throw refuse('The PDF is too large once unpacked.')
    case 'unreadable':
      throw refuse('The file is not a readable PDF.')
    default:
      return value satisfies never
  }
}
