import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { findChromiumPath } from '../../server/tools/web/find-chromium'
import { webReadUrl } from '../../server/tools/web/web_read_url'
import { savedPages } from './pages'
import { byDefuddle, byReadability } from './readers'
import { mean, mistakesOf, type Read, type Score, scoreOf } from './score'

/**
 * `web_read_url` over 60 pages of 12 kinds, through HTTP, its thread and the browser, beside
 * Readability and Defuddle over the same HTML.
 */
const pages = savedPages()
/** The same contents in other frames than those that the reader's rules were tried on most. */
const turned = [1, 2, 3, 4].flatMap((turn) =>
  savedPages(turn)
    .filter(({ kind }) => kind !== 'app')
    .map((page) => ({ ...page, path: `${page.path}/${turn}` })),
)

let server: Server
let origin: string
const TYPES: Record<string, string> = { js: 'text/javascript', json: 'application/json' }

beforeAll(async () => {
  const files = Object.fromEntries(pages.flatMap((page) => Object.entries(page.files)))
  const html = Object.fromEntries([...pages, ...turned].map((page) => [page.path, page.html]))
  server = createServer((req, res) => {
    const path = req.url ?? ''
    const type = TYPES[path.split('.').at(-1) ?? ''] ?? 'text/html; charset=utf-8'
    const body = html[path] ?? files[path]
    if (path === '/busy')
      return void res.writeHead(200, { 'content-type': 'text/html' }).end('<p>Wait</p><script>for (;;);</script>')
    res.writeHead(body === undefined ? 404 : 200, { 'content-type': type }).end(body ?? 'nothing')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  origin = `http://localhost:${port}`
  vi.stubEnv('UPSTREAMS', 'live')
  vi.stubEnv('ALLOW_PRIVATE_HOSTS', `localhost:${port}`)
})
afterAll(async () => {
  const { closeChromium } = await import('../../server/tools/web/chromium')
  await closeChromium()
  server.closeAllConnections()
  server.close()
  vi.unstubAllEnvs()
})

type Output = {
  title: string | null
  author: string | null
  markdown: string
  method: string
  isPartial: boolean
  note: string | null
}

async function read(path: string): Promise<Output> {
  const context = { signal: AbortSignal.timeout(300_000), onSent: () => {}, spent: () => {}, ownerId: 1 }
  const output = await webReadUrl.run({ url: `${origin}${path}` } as never, context)
  return webReadUrl.output.parse(output) as Output
}

const asRead = ({ title, author, markdown }: Output): Read => ({ title, author, text: markdown })

type Scores = Record<string, Score[]>
const add = (scores: Scores, kind: string, score: Score) => {
  scores[kind] = [...(scores[kind] ?? []), score]
}
const meanOf = (scores: Score[] = []): Score => ({
  recall: mean(scores.map(({ recall }) => recall)),
  boilerplate: mean(scores.map(({ boilerplate }) => boilerplate)),
})
const cell = ({ recall, boilerplate }: Score) => `${recall.toFixed(3)} / ${boilerplate.toFixed(3)}`.padEnd(18)

it('keeps the content and drops the boilerplate of every kind of page', async () => {
  const scores = { here: {}, readability: {}, defuddle: {} } as Record<'here' | 'readability' | 'defuddle', Scores>
  const mistakes: string[] = []
  for (const page of pages) {
    const output = await read(page.path)
    add(scores.here, page.kind, scoreOf(page, asRead(output)))
    expect(output.method === 'rendered', `${page.path} needs the browser`).toBe(page.kind === 'app')
    add(scores.readability, page.kind, scoreOf(page, byReadability(page.html)))
    add(scores.defuddle, page.kind, scoreOf(page, await byDefuddle(page.html, `${origin}${page.path}`)))
    const wrong = mistakesOf(page, asRead(output))
    if (wrong.length > 0) mistakes.push(`${page.kind} ${page.path} (${output.method}, ${output.note}):`, ...wrong)
  }
  const kinds = Object.keys(scores.here)
  const row = (name: string, of: (s: Scores) => Score) =>
    `${name.padEnd(14)}${cell(of(scores.here))}${cell(of(scores.readability))}${cell(of(scores.defuddle))}`
  const head = `${'content / boilerplate kept'.padEnd(14)}\n${''.padEnd(14)}${'web_read_url'.padEnd(18)}${'Readability'.padEnd(18)}Defuddle`
  const lines = kinds.map((kind) => row(kind, (s) => meanOf(s[kind])))
  const all = row('all', (s) => meanOf(Object.values(s).flat()))
  process.stdout.write(`${[head, ...lines, all, ...mistakes].join('\n')}\n`)

  expect(kinds).toHaveLength(12)
  expect(pages).toHaveLength(60)
  for (const kind of kinds) {
    const { recall, boilerplate } = meanOf(scores.here[kind])
    expect(recall, kind).toBeGreaterThanOrEqual(0.95)
    expect(boilerplate, kind).toBeLessThanOrEqual(0.1)
  }
  const overall = (of: Scores) => meanOf(Object.values(of).flat())
  expect(overall(scores.here).recall).toBeGreaterThan(
    Math.max(overall(scores.readability).recall, overall(scores.defuddle).recall),
  )
})

it('does so whatever surrounds them', async () => {
  const found: Score[] = []
  for (const page of turned) found.push(scoreOf(page, asRead(await read(page.path))))
  const { recall, boilerplate } = meanOf(found)
  process.stdout.write(`${turned.length} pages in other frames: ${cell({ recall, boilerplate })}\n`)
  expect(recall).toBeGreaterThanOrEqual(0.95)
  expect(boilerplate).toBeLessThanOrEqual(0.1)
})

describe('a page made by scripts', () => {
  const [app] = pages.filter(({ kind }) => kind === 'app')

  it('is rendered, and says so', async () => {
    expect(findChromiumPath(process.env.CHROMIUM_PATH), 'this test needs a Chromium').not.toBeNull()
    const output = await read(app?.path ?? '')
    expect(output).toMatchObject({ method: 'rendered', isPartial: false, note: null })
    expect(output.markdown).toContain('Pumps of the north basin')
  })

  it('that keeps the browser busy is given without, and says so', async () => {
    const output = await read('/busy')
    expect(output).toMatchObject({ markdown: 'Wait', isPartial: true })
    expect(output.note).toMatch(/made by JavaScript, and the browser failed: .* within \d+ seconds/)
  })
})
