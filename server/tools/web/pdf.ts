import { getDocumentProxy, getMeta } from 'unpdf'
import { AppError } from '../../errors'
import { unpacksWithinReason } from './pdf-size'

const MAX_PAGES = 300

export type PdfText = { title: string | null; author: string | null; text: string; cut: boolean }

/** The text of a PDF, page by page, pages apart by an empty line. Throws `upstream_error` for what is no readable PDF. */
export async function pdfText(bytes: Buffer, signal: AbortSignal): Promise<PdfText> {
  if (!unpacksWithinReason(bytes)) throw new AppError('upstream_error', 'The PDF is too large once unpacked.')
  const pdf = await getDocumentProxy(new Uint8Array(bytes), { stopAtErrors: false, verbosity: 0 }).catch(
    (cause: unknown) => {
      const locked = (cause as { name?: string } | null)?.name === 'PasswordException'
      const why = locked ? 'The PDF is protected with a password.' : 'The file is not a readable PDF.'
      throw new AppError('upstream_error', why, { cause })
    },
  )
  try {
    const { info } = await getMeta(pdf).catch(() => ({ info: {} as Record<string, unknown> }))
    const pages: string[] = []
    for (let n = 1; n <= Math.min(pdf.numPages, MAX_PAGES); n++) {
      signal.throwIfAborted()
      const page = await pdf.getPage(n)
      const { items } = await page.getTextContent()
      pages.push(items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join(''))
      page.cleanup()
    }
    const text = pages
      .map((page) => page.trim())
      .filter(Boolean)
      .join('\n\n')
    return { title: told(info.Title), author: told(info.Author), text, cut: pdf.numPages > MAX_PAGES }
  } finally {
    await pdf.loadingTask.destroy()
  }
}

const told = (value: unknown): string | null => (typeof value === 'string' && value.trim()) || null
