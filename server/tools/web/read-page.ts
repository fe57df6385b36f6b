import { AppError } from '../../errors'
import type { Parser } from '../../kit/threads/parser'
import { type ParseOptions, parseInThread } from '../parse'

/** A page as it came, for the thread that reads it. */
export type PageTask = { bytes: Uint8Array; contentType: string; url: string; isHtml: boolean }

/** What a page or document says, as `web_read_url` returns it. */
export type PageRead = {
  title: string | null
  author: string | null
  siteName: string | null
  /** ISO 8601. */
  publishedAt: string | null
  language: string | null
  markdown: string
  wordCount: number
  /** There is more than `markdown` holds. */
  truncated: boolean
  method: ReadMethod
}

/** How a page or document was read. */
type ReadMethod = (typeof READING_WAYS)[number]
export const READING_WAYS = ['article', 'main', 'page', 'rendered', 'pdf', 'text'] as const

/**
 * A page as its HTML says it. `needsScript`: it has little text, and scripts that would write
 * more.
 */
export type WebPage = PageRead & { needsScript: boolean }

/** Honest pages take some tenths of a second. */
const PAGE: Parser = { file: 'page-thread', lane: 'quick', reused: true, cpuMs: 4_000, wallMs: 40_000, memoryMb: 192 }

/**
 * Reads a page in a thread. Throws `upstream_error` for one that takes too much time or memory, or
 * cannot be parsed.
 */
export async function readWebPage(page: PageTask, parseFor: ParseOptions): Promise<WebPage> {
  const outcome = await parseInThread<WebPage>(PAGE, page, parseFor)
  const refuse = (what: string, cause?: string) =>
    new AppError('upstream_error', `The content of ${page.url} ${what}.`, { reason: 'unreadable', cause })
  switch (outcome.kind) {
    case 'done':
      return outcome.value
    case 'out_of_time':
      throw refuse('takes too long to read')
    case 'out_of_memory':
      throw refuse('takes too much memory to read')
    case 'failed':
      throw refuse('cannot be parsed', outcome.message)
    default:
      return outcome satisfies never
  }
}
