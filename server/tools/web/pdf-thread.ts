// The thread in which one PDF is measured and read.
import { getDocumentProxy, getMeta } from 'unpdf'
import { serveParser } from '../../kit/threads/serve-parser'
import { countWords, truncateMarkdown } from './measure-text'
import type { PdfRead } from './pdf'
import { fitsUnpackedLimit } from './pdf-size'

const MAX_PAGES = 300

async function read(bytes: Uint8Array): Promise<PdfRead> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (!(await fitsUnpackedLimit(file))) return { kind: 'too_large' }
  const pdf = await getDocumentProxy(bytes, { stopAtErrors: false, verbosity: 0 }).catch((error: { name?: string }) =>
    error.name === 'PasswordException' ? 'locked' : 'unreadable',
  )
  if (typeof pdf === 'string') return { kind: pdf as 'locked' | 'unreadable' }
  const { info } = await getMeta(pdf).catch(() => ({ info: {} as Record<string, unknown> }))
  const pages: string[] = []
  for (let n = 1; n <= Math.min(pdf.numPages, MAX_PAGES); n++) {
    const page = await pdf.getPage(n)
    const { items } = await page.getTextContent()
    pages.push(items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join(''))
    page.cleanup()
  }
  const whole = pages
    .map((page) => page.trim())
    .filter(Boolean)
    .join('\n\n')
  const markdown = truncateMarkdown(whole)
  const page = {
    ...{ title: textOrNull(info.Title), author: textOrNull(info.Author) },
    ...{ siteName: null, publishedAt: null, language: null, markdown, wordCount: countWords(markdown) },
    truncated: pdf.numPages > MAX_PAGES || markdown.length < whole.length,
    method: 'pdf' as const,
  }
  return { kind: 'text', page }
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' && value.trim()) || null

serveParser(read)
