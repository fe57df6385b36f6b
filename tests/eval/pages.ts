import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A number that depends on nothing but a text: what the pages say, and what checks expect. */
export const numberFor = (text: string, below: number): number =>
  createHash('sha256').update(text).digest().readUInt32BE(0) % below

const YEARS = { first: 1600, last: 1899 }
const PARAGRAPH =
  'The harbour master noted calm weather, the arrival of timber and salt, and a quarrel about moorings that was settled before the tide turned. '

/** The harbour dues that the annals give for a year. */
export const duesOf = (year: number): number => 1_000 + numberFor(`dues ${year}`, 9_000)
/** The number on a page of the ledger. */
export const ledgerNumber = (page: number): number => 10 + numberFor(`ledger ${page}`, 990)
/** The code at the end of a chapter. */
export const chapterCode = (chapter: number): string => `KEY-${1_000 + numberFor(`chapter ${chapter}`, 9_000)}`
/** Two pages that disagree about the height of a lighthouse, in metres. */
export const heightBy = (source: 'survey' | 'guide'): number => (source === 'survey' ? 41 : 47)

const annals = (): string[] =>
  Array.from({ length: YEARS.last - YEARS.first + 1 }, (_, i) => {
    const year = YEARS.first + i
    return `<h2>${year}</h2><p>${PARAGRAPH.repeat(6)}Harbour dues in ${year} came to ${duesOf(year)} crowns.</p>`
  })

function bodyOf(path: string): { title: string; paragraphs: string[] } | null {
  const [, name = '', number = ''] = /^\/([a-z]+)(?:\/(\d+))?$/.exec(path) ?? []
  const n = Number(number)
  switch (name) {
    case 'annals':
      return { title: 'Annals of the harbour', paragraphs: annals() }
    case 'ledger':
      return {
        title: `Ledger, page ${n}`,
        paragraphs: [`<p>${PARAGRAPH}The number of this page is ${ledgerNumber(n)}.</p>`],
      }
    case 'chapter':
      return {
        title: `Chapter ${n}`,
        paragraphs: [
          ...Array.from({ length: 40 }, () => `<p>${PARAGRAPH.repeat(2)}</p>`),
          `<p>The code of chapter ${n} is ${chapterCode(n)}.</p>`,
          ...Array.from({ length: 40 }, () => `<p>${PARAGRAPH.repeat(2)}</p>`),
        ],
      }
    case 'survey':
    case 'guide': {
      const text = `According to this ${name}, the lighthouse of Puerto Claro is ${heightBy(name)} metres high.`
      return { title: `The ${name}`, paragraphs: [`<p>${PARAGRAPH}${text}</p>`] }
    }
    default:
      return null
  }
}

const htmlPage = (title: string, main: string): string =>
  `<!doctype html><html lang="en"><head><title>${title}</title></head><body><main><article><h1>${title}</h1>${main}</article></main></body></html>`

/** Serves the pages that goals read beside the sandbox's own; others are missing. */
export async function servePages(): Promise<{ url: string; stop: () => void }> {
  const server = createServer((req, res) => {
    const found = bodyOf(new URL(req.url ?? '', 'http://pages').pathname)
    const title = found?.title ?? 'Not found'
    const main = found?.paragraphs.join('\n') ?? '<p>Nothing is here.</p>'
    res.writeHead(found ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' })
    res.end(htmlPage(title, main))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop }
}
