// The thread in which one PDF is read. It is started from this very file, so it imports packages and types alone.
import { parentPort, workerData } from 'node:worker_threads'
import { getDocumentProxy, getMeta } from 'unpdf'
import type { PdfRead } from './pdf'

const MAX_PAGES = 300

async function read(bytes: Uint8Array): Promise<PdfRead> {
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
  const text = pages
    .map((page) => page.trim())
    .filter(Boolean)
    .join('\n\n')
  const cut = pdf.numPages > MAX_PAGES
  return { kind: 'text', pdf: { title: told(info.Title), author: told(info.Author), text, cut } }
}

const told = (value: unknown): string | null => (typeof value === 'string' && value.trim()) || null

parentPort?.postMessage(await read(workerData as Uint8Array))
