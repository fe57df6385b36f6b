import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { deflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startCpuTimer } from '../../../tests/support/cpu-time'
import { AppError } from '../../errors'
import { webReadUrl } from './web_read_url'

let server: Server
let port: number

const PARAGRAPH =
  'Water runs downhill, and a miller who knows when it comes can grind before anybody else has had breakfast. '.repeat(
    4,
  )

const ARTICLE = `<!DOCTYPE html><html lang="en-GB"><head><title>Mills | The Site</title><meta property="og:site_name" content="The Site">
<meta name="author" content="A. Miller"><meta property="article:published_time" content="2026-03-02T10:00:00+02:00">
<script>document.write('<p>script text</p>')</script><style>p{color:red}</style></head><body>
<nav><a href="/a">Navigation</a></nav><article><h1>Mills</h1><h2>How they run</h2><p>${PARAGRAPH}</p>
<p>See <a href="../other?x=1#y">the other page</a>, <a href="javascript:alert(1)">not this</a> and <img src="/pic.png" alt="a image">.</p>
<table><thead><tr><th>Name</th><th>Wheels</th></tr></thead><tbody><tr><td>North | South</td><td>2</td></tr><tr><td></td><td><b>3</b></td></tr></tbody></table>
<pre><code>let x = 1\n  let y = 2</code></pre><ul><li>one</li><li>two</li></ul><p>${PARAGRAPH}</p></article><footer>Footer words</footer></body></html>`

/** A PDF of one page, with the offsets of its table worked out. */
function pdf(text: string, packed?: { filter: string; stream: Buffer }): Buffer {
  const stream = packed?.stream.toString('latin1') ?? `BT /F1 24 Tf 72 700 Td (${text}) Tj ET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${stream.length} ${packed?.filter ?? ''} >>\nstream\n${stream}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    '<< /Title (The Paper) /Author (P. Writer) >>',
  ]
  let body = '%PDF-1.4\n'
  const offsets = objects.map((object, i) => {
    const offset = body.length
    body += `${i + 1} 0 obj\n${object}\nendobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const xref = `xref\n0 7\n0000000000 65535 f \n${offsets.join('')}trailer\n<< /Size 7 /Root 1 0 R /Info 6 0 R >>\n`
  return Buffer.from(`${body}${xref}startxref\n${body.length}\n%%EOF`, 'latin1')
}

const page = (body: string) => `<!doctype html><html><head><title>T</title></head><body>${body}</body></html>`

const SHOP = `<!doctype html><html><head><title>Mug</title><script type="application/ld+json">{"@context":"https://schema.org","@type":"Product",
"name":"Enamel mug","sku":"EM-5","offers":{"@type":"Offer","price":"12.50","priceCurrency":"GBP","availability":"https://schema.org/InStock"}}</script></head><body>
<div class="nav"><a href="/">Departments</a></div><div class="cookie-bar">We use cookies. <button>Accept</button></div>
<div class="product"><h1>Enamel mug, half litre</h1><span class="price">£12.50</span><span class="stock">In stock</span><button>Add to basket</button></div>
<div class="tabs"><p>${PARAGRAPH}</p><p>${PARAGRAPH}</p></div><div class="related"><h2>Related products</h2><a href="/k">Kettle</a></div></body></html>`

const FRONT = `<!doctype html><html><head><title>The Gazette</title></head><body><header><nav><a href="/">Front page</a></nav></header>
<div class="cookies">We would like to set cookies. <button>Accept</button></div>
<main><h1>The Gazette</h1><ul><li><a href="/a">How tide mills kept time with the moon</a></li><li><a href="/b">Folding paper maps without tears</a></li></ul></main>
<footer><p>The Gazette is simulated, and so is everything it says.</p></footer></body></html>`

const APP = `<!doctype html><html><head><title>App</title></head><body><div id="root"></div><script src="/app.js"></script></body></html>`

type Served = [type: string, body: string | Buffer]
const served: Record<string, () => Served> = {
  '/deep/article': () => ['text/html; charset=utf-8', ARTICLE],
  '/shop': () => ['text/html', SHOP],
  '/front': () => ['text/html', FRONT],
  '/app': () => ['text/html', APP],
  '/short': () => ['text/html', page('<p>Just this.</p><a href="/x">link</a>')],
  '/fragment': () => ['text/html', '<p>No html element</p><p>at all</p>'],
  '/no-body-tag': () => ['text/html', '<!doctype html><html lang="en"><head><title>T</title></head><p>Just this.</p>'],
  '/no-head-tag': () => ['text/html', '<!doctype html><html lang="en"><title>T</title><p>Just this.</p>'],
  '/empty': () => ['text/html', ''],
  '/latin1-header': () => ['text/html; charset=ISO-8859-1', Buffer.from(page('<p>Gr\xfc\xdfe</p>'), 'latin1')],
  '/latin1-meta': () => [
    'text/html',
    Buffer.from(`<html><head><meta charset="windows-1252"></head><body><p>Gr\xfc\xdfe</p></body></html>`, 'latin1'),
  ],
  '/latin1-silent': () => ['text/html', Buffer.from(page('<p>Gr\xfc\xdfe</p>'), 'latin1')],
  '/utf16': () => ['text/plain', Buffer.from('\ufeffGrüße', 'utf16le')],
  '/wrong-charset': () => ['text/plain; charset=nonsense', 'Grüße'],
  '/text': () => ['text/plain', 'plain *text*\n'],
  '/markdown': () => ['text/markdown', '# Title\n\n- a'],
  '/json': () => ['application/json', '{"a": [1, 2]}'],
  '/pdf': () => ['application/pdf', pdf('Hello from paper')],
  '/pdf-unnamed': () => ['application/octet-stream', pdf('Hello from paper')],
  '/pdf-packed': () => [
    'application/pdf',
    pdf('', { filter: '/Filter /FlateDecode', stream: deflateSync('BT /F1 24 Tf 72 700 Td (Hello from paper) Tj ET') }),
  ],
  '/pdf-bomb': () => [
    'application/pdf',
    pdf('', { filter: '/Filter /FlateDecode', stream: deflateSync(Buffer.alloc(200_000_000)) }),
  ],
  '/pdf-twice': () => [
    'application/pdf',
    pdf('', { filter: '/Filter [/FlateDecode /FlateDecode]', stream: deflateSync(deflateSync('x')) }),
  ],
  '/pdf-broken': () => ['application/pdf', '%PDF-1.4 nothing here'],
  '/image': () => ['image/png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0])],
  '/unnamed-html': () => ['', page('<p>unnamed</p>')],
  '/long': () => ['text/plain', 'word and more\n'.repeat(50_000)],
  '/hostile': () => ['text/html', '<div>'.repeat(300_000)],
  '/japanese': () => ['text/plain; charset=utf-8', '日本語 text'],
}

function answer(req: IncomingMessage, res: ServerResponse): void {
  const url = new URL(req.url ?? '/', 'http://x')
  if (url.pathname === '/to') return void res.writeHead(302, { location: url.searchParams.get('at') ?? '' }).end()
  if (url.pathname === '/hang') return
  const found = served[url.pathname]?.()
  if (!found) return void res.writeHead(404, { 'content-type': 'text/html' }).end('<h1>gone</h1>')
  res.writeHead(200, found[0] ? { 'content-type': found[0] } : {}).end(found[1])
}

beforeAll(async () => {
  server = createServer(answer)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  port = (server.address() as AddressInfo).port
  vi.stubEnv('DATABASE_URL', 'postgresql://127.0.0.1:1/none')
  vi.stubEnv('AUTH_SECRET', 'a'.repeat(32))
  vi.stubEnv('UPSTREAMS', 'live')
  // A browser that does not start; one that does is in tests/reader.
  vi.stubEnv('CHROMIUM_PATH', '/bin/false')
  vi.stubEnv('ALLOW_PRIVATE_HOSTS', `localhost:${port},localhost:9,nowhere.invalid:80`)
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

type Output = { [name: string]: unknown; markdown: string }

async function read(path: string, signal = AbortSignal.timeout(60_000)): Promise<Output> {
  const url = path.startsWith('/') ? `http://localhost:${port}${path}` : path
  const result = await webReadUrl.run(webReadUrl.params.parse({ url }) as never, {
    signal,
    onSent: accepted,
    spent: () => {},
    ownerId: 1,
  })
  expect(webReadUrl.output.parse(result)).toEqual(result)
  return result as Output
}
const accepted = vi.fn()

async function failure(path: string, signal?: AbortSignal) {
  accepted.mockClear()
  const error = await read(path, signal).then(
    () => expect.unreachable('it should have failed'),
    (e: unknown) => e,
  )
  if (!(error instanceof AppError)) throw error
  return { code: error.code, message: error.message, charged: accepted.mock.calls.length > 0 }
}

describe('an article', () => {
  it('comes with what is known of it, without what surrounds it', async () => {
    const article = await read('/to?at=/deep/article')
    expect(article).toMatchObject({
      url: `http://localhost:${port}/to?at=/deep/article`,
      finalUrl: `http://localhost:${port}/deep/article`,
      author: 'A. Miller',
      siteName: 'The Site',
      publishedAt: '2026-03-02T08:00:00.000Z',
      language: 'en-GB',
      contentType: 'text/html',
      truncated: false,
      title: expect.stringMatching(/^Mills/),
    })
    expect(article.wordCount).toBeGreaterThan(140)
    expect(article.markdown).not.toMatch(/Navigation|Footer words|script text|color:red/)
  })

  it('becomes Markdown with absolute links, a table, code and a list', async () => {
    const { markdown } = await read('/deep/article')
    expect(markdown).toContain('## How they run')
    expect(markdown).toContain(`[the other page](http://localhost:${port}/other?x=1#y)`)
    expect(markdown).toContain(`![a image](http://localhost:${port}/pic.png)`)
    expect(markdown).not.toContain('javascript:')
    expect(markdown).toContain('| Name | Wheels |\n| --- | --- |\n| North \\| South | 2 |\n|  | **3** |')
    expect(markdown).toContain('```\nlet x = 1\n  let y = 2\n```')
    expect(markdown).toMatch(/^- +one\n- +two$/m)
  })

  it.each([
    ['/short', `Just this.\n\n[link](http://localhost:PORT/x)`],
    ['/no-body-tag', 'Just this.'],
    ['/no-head-tag', 'T\n\nJust this.'],
    ['/fragment', 'No html element\n\nat all'],
    ['/empty', ''],
    ['/unnamed-html', 'unnamed'],
  ])('%s, without a recognizable article, is returned whole', async (path, markdown) => {
    expect((await read(path)).markdown).toBe(markdown.replace('PORT', String(port)))
  })
})

describe('pages that are not articles', () => {
  it('a front page gives its list, and not its cookie banner', async () => {
    const { markdown, title, isPartial, note } = await read('/front')
    expect(markdown).toContain(`[How tide mills kept time with the moon](http://localhost:${port}/a)`)
    expect(markdown).toContain('Folding paper maps without tears')
    expect(markdown).not.toMatch(/cookies|Front page|simulated/)
    expect({ title, isPartial, note }).toEqual({ title: 'The Gazette', isPartial: false, note: null })
  })

  it('a shop page gives name, price and availability, and what its JSON-LD says', async () => {
    const { markdown, method } = await read('/shop')
    expect(method).toMatch(/^(main|page)$/)
    expect(markdown).toContain('# Enamel mug, half litre')
    expect(markdown).toMatch(/£12\.50 In stock/)
    expect(markdown).toContain(
      '## Structured data of the page\n\n**Product: Enamel mug**\n\n- Price: 12.50 GBP\n- Availability: In stock\n- SKU: EM-5',
    )
    expect(markdown).not.toMatch(/cookies|Departments|Kettle|Add to basket/)
  })

  it('a page made by script says what is missing, where the browser does not start', async () => {
    const { markdown, method, isPartial, note } = await read('/app')
    expect({ markdown, method, isPartial }).toEqual({ markdown: '', method: 'page', isPartial: true })
    expect(note).toBe(
      'This page is made by JavaScript, and the browser failed: The browser cannot be started here. Contact the operator: ' +
        'this is the text that it has without.',
    )
  })

  it('a page made by script says what is missing, where no browser is installed', async () => {
    vi.resetModules()
    vi.doMock('./chromium', () => ({ chromiumPath: () => null, chromium: () => expect.unreachable() }))
    const { readByScript } = await import('./read-rendered')
    vi.doUnmock('./chromium')
    const page = await read('/short')
    const context = { signal: AbortSignal.timeout(60_000), onSent: accepted, spent: () => {}, ownerId: 1 }
    const found = await readByScript(page as never, 'http://localhost/', context, performance.now() + 55_000)
    expect(found).toMatchObject({
      markdown: page.markdown,
      missing: expect.stringMatching(/no browser is installed here/),
    })
  })

  it.each([
    ['/deep/article', 'article'],
    ['/pdf', 'pdf'],
    ['/text', 'text'],
  ])('%s says how it was read: %s', async (path, method) => {
    expect(await read(path)).toMatchObject({ method, isPartial: false, note: null })
  })
})

describe('encodings', () => {
  it.each(['/latin1-header', '/latin1-meta', '/latin1-silent', '/utf16', '/wrong-charset'])(
    '%s is read right',
    async (path) => {
      expect((await read(path)).markdown).toBe('Grüße')
    },
  )
})

describe('other types', () => {
  it.each([
    ['/text', 'plain *text*'],
    ['/markdown', '# Title\n\n- a'],
    ['/json', '{"a": [1, 2]}'],
  ])('%s is passed through', async (path, markdown) => {
    expect((await read(path)).markdown).toBe(markdown)
  })

  it.each(['/pdf', '/pdf-unnamed', '/pdf-packed'])('%s is read as text', async (path) => {
    const paper = {
      markdown: 'Hello from paper',
      title: 'The Paper',
      author: 'P. Writer',
      contentType: 'application/pdf',
      wordCount: 3,
    }
    expect(await read(path)).toMatchObject(paper)
  })

  it.each([
    ['/image', /of type image\/png, which cannot be read as text/],
    ['/pdf-bomb', /too large once unpacked/],
    ['/pdf-twice', /too large once unpacked/],
    ['/pdf-broken', /not a readable PDF/],
  ])('%s fails and says why', async (path, message) => {
    expect(await failure(path)).toEqual({
      code: 'upstream_error',
      charged: true,
      message: expect.stringMatching(message),
    })
  })

  it('is cut at the end of a line when it is too long', async () => {
    const { markdown, truncated, isPartial, note } = await read('/long')
    expect({ isPartial, note }).toEqual({ isPartial: true, note: expect.stringMatching(/the rest was cut/) })
    expect({ truncated, ends: markdown.slice(-8) }).toEqual({ truncated: true, ends: 'and more' })
    expect(markdown.length).toBeLessThanOrEqual(500_000)
  })

  it('counts words, and characters of scripts without spaces', async () => {
    expect((await read('/japanese')).wordCount).toBe(4)
  })
})

describe('failures', () => {
  it.each([
    'file:///etc/passwd',
    'nonsense',
    'http://a:b@localhost/',
    'http://127.0.0.1:PORT/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[::1]:PORT/',
  ])('%s is refused and costs nothing', async (url) => {
    expect(await failure(url.replace('PORT', String(port)))).toMatchObject({ code: 'invalid_request', charged: false })
  })

  it.each(['http://nowhere.invalid/', 'http://localhost:9/'])('%s cannot be reached and costs nothing', async (url) => {
    expect(await failure(url)).toMatchObject({ code: 'upstream_error', charged: false })
  })

  it.each([
    ['/to?at=http://127.0.0.1:9/', /redirects to 127\.0\.0\.1:9, which is not on the public internet/],
    ['/missing', /returned HTTP 404/],
  ])('%s fails and is charged', async (path, message) => {
    expect(await failure(path)).toEqual({
      code: 'upstream_error',
      charged: true,
      message: expect.stringMatching(message),
    })
  })

  it('a page that never answers is given up when time is up', async () => {
    expect(await failure('/hang', AbortSignal.timeout(200))).toMatchObject({ code: 'upstream_error', charged: true })
  })

  it('a hostile page costs a moment, not the process', async () => {
    const cpuMs = startCpuTimer()
    await read('/hostile').catch(() => {})
    expect(cpuMs()).toBeLessThan(1_000)
  })
})

it('unknown parameters are refused', () => {
  expect(webReadUrl.params.safeParse({ url: 'http://x.test/', more: 1 }).success).toBe(false)
})
