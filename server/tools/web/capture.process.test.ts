import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inflateSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { takePort } from '../../../tests/support/ports'
import { AppError } from '../../errors'
import type { MemoryLimit } from '../../kit/process-memory'
import type { ResolveHost } from '../../kit/resolve'
import { type CaptureInput, capturePage, type PageCapture } from './capture'
import { type ChromiumPool, makeChromiumPool } from './chromium'
import { findChromiumPath } from './find-chromium'

let server: Server
let port: number
let closedPort: number
let makePool: (memory?: MemoryLimit) => ChromiumPool
let pool: ChromiumPool
let seen: { host: string; path: string; headers: IncomingMessage['headers'] }[] = []
const rebindAnswers: string[] = []

const resolve: ResolveHost = async (hostname) => {
  if (hostname === 'nowhere.test') throw Object.assign(new Error('no'), { code: 'ENOTFOUND' })
  const address = hostname === 'rebind.test' ? (rebindAnswers.shift() ?? '10.0.0.1') : '127.0.0.1'
  return [{ address, family: 4 }]
}

const html = (body: string, head = '') =>
  `<!doctype html><html><head><title>T</title>${head}</head><body style="margin:0">${body}</body></html>`
const RED = '<div style="position:fixed;inset:0;background:#f00"></div>'
const showAfter = (path: string) =>
  `<script>fetch('${path}').then(() => { document.body.innerHTML = '${RED}<p id="now">now' })</script>`
const private_ = () => `http://127.0.0.1:${port}`

const pages: Record<string, () => string> = {
  '/': () => html('<h1>Hello</h1>'),
  '/tall': () =>
    html('<div style="height:5000px;background:#00f"></div><div id="end" style="height:100px;background:#0f0"></div>'),
  '/endless': () => html('<div style="height:900000px;background:#00f"></div>'),
  '/hide': () => html('<div class="ad" style="position:fixed;inset:0;background:#f00"></div>'),
  '/scheme': () => html('', '<style>@media(prefers-color-scheme:dark){html{background:#000}}</style>'),
  // The answer comes never, or late.
  '/waits': () => html(showAfter('/hang')),
  '/late': () => html(showAfter('/soon')),
  '/who': () =>
    html(
      `<script>document.title = [navigator.userAgent, navigator.language, innerWidth, innerHeight,
    navigator.maxTouchPoints, devicePixelRatio].join('|')</script>`,
      '<meta name="viewport" content="width=device-width">',
    ),
  '/fetches': () =>
    html(`<script>(async () => { const t = []
    for (const u of ['${private_()}/secret', 'http://private.test:${port}/secret', 'http://[::1]:${port}/secret', 'http://rebind.test:${port}/secret'])
      t.push(await fetch(u, { mode: 'no-cors' }).then((r) => r.type, () => 'failed'))
    document.title = t.join() })()</script><img src="${private_()}/secret"><iframe src="${private_()}/secret"></iframe>`),
  '/socket': () =>
    html(`<script>const s = new WebSocket('ws://127.0.0.1:${port}/secret')
    s.onerror = () => { document.title = 'blocked' }; s.onopen = () => { document.title = 'open' }</script>`),
  '/file': () =>
    html(`<iframe src="file:///etc/passwd"></iframe><script>
    fetch('file:///etc/passwd').then(() => { document.title = 'read' }, () => { document.title = 'blocked' })</script>`),
  '/worker': () =>
    html(
      `<script>navigator.serviceWorker.register('/sw.js').then(() => 'registered', () => 'refused').then((t) => { document.title = t })</script>`,
    ),
  '/moves': () => html(`<script>location.href = '${private_()}/secret'</script>`),
  '/popup': () => html(`<script>open('/'); alert(1); document.title = 'still here'</script>`),
  '/downloads': () => html(`<h1>Thank you</h1><script>location.href = '/invoice'</script>`),
  '/moves-to-pdf': () => html(`<script>location.href = '/pdf'</script>`),
  '/large': () => html('<script>const all = []; for (;;) all.push(new Uint8Array(50_000_000).fill(1))</script>'),
  '/busy': () => html('<script>for (;;);</script>'),
}

const PDF =
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>'

function answer(req: IncomingMessage, res: ServerResponse): void {
  const url = new URL(req.url ?? '/', 'http://x')
  seen.push({ host: req.headers.host ?? '', path: url.pathname, headers: req.headers })
  if (url.pathname === '/to') return void res.writeHead(302, { location: url.searchParams.get('at') ?? '' }).end()
  if (url.pathname === '/hang') return
  if (url.pathname === '/soon') return void setTimeout(() => res.end(), 1_500)
  if (url.pathname === '/download')
    return void res.writeHead(200, { 'content-disposition': 'attachment', 'content-type': 'application/zip' }).end('x')
  if (url.pathname === '/pdf') return void res.writeHead(200, { 'content-type': 'application/pdf' }).end(PDF)
  if (url.pathname === '/invoice') {
    const headers = { 'content-type': 'application/pdf', 'content-disposition': 'attachment; filename=a.pdf' }
    return void res.writeHead(200, headers).end(PDF)
  }
  const page = pages[url.pathname]
  res.writeHead(page ? 200 : 404, { 'content-type': 'text/html' }).end(page?.() ?? html('<h1>No such page</h1>'))
}

/**
 * The colour of the pixel in the top left corner of an 8-bit RGB or RGBA image, whatever filter the
 * first row has.
 */
function cornerOf(png: Buffer): number[] {
  const data: Buffer[] = []
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at)
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') data.push(png.subarray(at + 8, at + 8 + length))
    at += length + 12
  }
  return [...inflateSync(Buffer.concat(data)).subarray(1, 4)]
}

const at = (path: string, host = 'ok.test') => `http://${host}:${port}${path}`
let accepted = 0

/** Quicker to draw than the default where the size does not matter. */
const SMALL = { width: 320, height: 240 }

const shot = (
  path: string,
  more: Partial<CaptureInput> = {},
  signal = AbortSignal.timeout(120_000),
  by = pool,
): Promise<PageCapture> =>
  capturePage(
    by,
    { url: path.startsWith('/') ? at(path) : path, fullPage: false, timeout: 120, viewport: SMALL, ...more },
    { signal, ownerId: 1, spent: () => {}, onSent: () => accepted++ },
  )

async function failure(work: Promise<unknown>) {
  const error = await work.then(
    () => expect.unreachable('it should have failed'),
    (e: unknown) => e,
  )
  if (!(error instanceof AppError)) throw error
  return { code: error.code, message: error.message, accepted: accepted > 0 }
}

beforeAll(async () => {
  server = createServer(answer)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  port = (server.address() as AddressInfo).port
  closedPort = await takePort()
  const allow = ['ok.test', 'other.test', 'nowhere.test'].map((host) => `${host}:${port}`)
  makePool = (memory) =>
    makeChromiumPool(
      findChromiumPath(process.env.CHROMIUM_PATH) ?? 'no chromium',
      { allow: [...allow, `ok.test:${closedPort}`], resolve },
      memory,
    )
  pool = makePool()
})
beforeEach(() => {
  seen = []
  accepted = 0
})
afterAll(async () => {
  await pool.close()
  server.closeAllConnections()
  server.close()
})

describe('a page', () => {
  it('comes as a PNG of the default size, with what was found', async () => {
    const found = await shot('/', { viewport: undefined })
    expect(found).toMatchObject({ width: 1920, height: 1080, finalUrl: at('/'), statusCode: 200, title: 'T' })
    expect(found.png.subarray(1, 4).toString()).toBe('PNG')
    expect(accepted).toBeGreaterThan(0)
  })

  it('is followed through redirects', async () => {
    expect(await shot(`/to?at=${encodeURIComponent(at('/', 'other.test'))}`)).toMatchObject({
      finalUrl: at('/', 'other.test'),
    })
  })

  it('is captured when it is an error, unless another status is asserted', async () => {
    expect(await shot('/missing')).toMatchObject({ statusCode: 404 })
    expect(await shot('/missing', { assertStatusCode: 404 })).toMatchObject({ statusCode: 404 })
    expect(await failure(shot('/missing', { assertStatusCode: 200 }))).toEqual({
      code: 'upstream_error',
      message: 'The page returned HTTP 404, not 200.',
      accepted: true,
    })
  })
})

describe('how the browser presents itself', () => {
  const who = async (more: Partial<CaptureInput>) => (await shot('/who', more)).title.split('|')

  it.each([
    ['desktop', '1920', '1080', '0'],
    ['tablet', '820', '1180', '1'],
    ['mobile', '390', '844', '1'],
  ] as const)('%s has its size and touch', async (device, width, height, touch) => {
    const [agent, language, ...rest] = await who({ device, viewport: undefined })
    expect(rest).toEqual([width, height, touch, '1'])
    expect(agent).not.toMatch(/Headless/)
    expect([/Mobile/.test(agent ?? ''), language]).toEqual([device === 'mobile', 'en-US'])
  })

  it('takes viewport, scale, locale and user agent from the caller', async () => {
    const viewport = { width: 300, height: 200, deviceScaleFactor: 2 }
    const found = await shot('/who', { device: 'mobile', viewport, locale: 'de-AT', userAgent: 'Me/1' })
    expect(found.title.split('|')).toEqual(['Me/1', 'de-AT', '300', '200', '1', '2'])
    expect([found.width, found.height]).toEqual([600, 400])
    expect(seen.find(({ path }) => path === '/who')?.headers).toMatchObject({
      'accept-language': expect.stringMatching(/^de-AT/),
    })
  })

  it('asks for a fresh copy only with noCache', async () => {
    await shot('/', { noCache: true })
    await shot('/')
    const pagesAsked = seen.filter(({ path }) => path === '/')
    expect(pagesAsked.map(({ headers }) => headers['cache-control'])).toEqual(['no-cache', undefined])
    expect(pagesAsked[0]?.headers).not.toHaveProperty('proxy-authorization')
  })

  it('asks for dark colours with darkMode', async () => {
    expect(cornerOf((await shot('/scheme', { darkMode: true })).png)).toEqual([0, 0, 0])
    expect(cornerOf((await shot('/scheme')).png)).toEqual([255, 255, 255])
  })
})

describe('what is in the image', () => {
  it('fullPage reaches to the end, and not further than the limit', async () => {
    expect(await shot('/tall', { fullPage: true })).toMatchObject({ width: 320, height: 5100 })
    expect(await shot('/endless', { fullPage: true, viewport: { width: 400, height: 300 } })).toMatchObject({
      height: 16384,
    })
    expect(await shot('/tall')).toMatchObject({ height: 240 })
  })

  it('hideSelectors hides, a wrong selector hides nothing else', async () => {
    expect(cornerOf((await shot('/hide')).png)).toEqual([255, 0, 0])
    expect(cornerOf((await shot('/hide', { hideSelectors: ['::', '.ad'] })).png)).toEqual([255, 255, 255])
  })

  it('waitForSelector waits, and is ignored when it never appears', async () => {
    expect(cornerOf((await shot('/waits')).png)).toEqual([255, 255, 255])
    expect(cornerOf((await shot('/late', { waitForSelector: '#now' })).png)).toEqual([255, 0, 0])
    expect(await shot('/', { waitForSelector: '#never', timeout: 8 })).toMatchObject({ statusCode: 200 })
    expect(await shot('/', { waitForSelector: ':::', timeout: 60 })).toMatchObject({ statusCode: 200 })
  })
})

describe('what is not public', () => {
  it.each([
    'http://127.0.0.1:PORT/',
    'http://private.test:PORT/',
    'http://[::1]:PORT/',
    'https://127.0.0.1:PORT/',
    'http://rebind.test:PORT/',
  ])('%s is refused before a byte goes out', async (url) => {
    expect(await failure(shot(url.replace('PORT', String(port))))).toMatchObject({
      code: 'invalid_request',
      accepted: false,
    })
    expect(seen).toEqual([])
  })

  it.each([
    'http://127.0.0.1:PORT/secret',
    'http://private.test:PORT/secret',
    'https://127.0.0.1:PORT/secret',
    'http://rebind.test:PORT/secret',
  ])('a redirect to %s is stopped', async (target) => {
    const error = await failure(shot(`/to?at=${encodeURIComponent(target.replace('PORT', String(port)))}`))
    expect(error).toMatchObject({ code: 'upstream_error', accepted: true })
    expect(error.message).toMatch(/redirects to .* not on the public internet/)
    expect(seen.map(({ path }) => path)).not.toContain('/secret')
  })

  it('a move by script is stopped', async () => {
    expect(await failure(shot('/moves', { waitUntil: 'network-idle' }))).toMatchObject({
      code: 'upstream_error',
      accepted: true,
    })
    expect(seen.map(({ path }) => path)).not.toContain('/secret')
  })

  it('fetch, images, frames and WebSockets do not get there, files are not read, service workers not installed', async () => {
    const waitUntil = 'network-idle'
    await shot('/fetches', { waitUntil })
    expect((await shot('/socket', { waitUntil })).title).toBe('blocked')
    expect((await shot('/file', { waitUntil })).title).toBe('blocked')
    expect((await shot('/worker', { waitUntil })).title).not.toBe('registered')
    expect(seen.map(({ path }) => path)).not.toContain('/secret')
  })
})

describe('what fails', () => {
  it('an unknown host and a closed port cost nothing', async () => {
    expect(await failure(shot(at('/', 'nowhere.test')))).toEqual({
      code: 'upstream_error',
      message: 'The host nowhere.test does not exist.',
      accepted: false,
    })
    expect(await failure(shot(`http://ok.test:${closedPort}/`))).toEqual({
      code: 'upstream_error',
      message: `ok.test:${closedPort} does not accept connections.`,
      accepted: false,
    })
    expect(await failure(shot('http://ok.test:9/'))).toMatchObject({ code: 'invalid_request', accepted: false })
  })

  it('a page that never answers is given up at the timeout', async () => {
    const error = await failure(shot('/hang', { timeout: 5 }))
    expect(error).toEqual({
      code: 'upstream_error',
      message: `ok.test:${port} did not answer within 5 seconds.`,
      accepted: true,
    })
  })

  it('a page that starts a download is shown', async () => {
    const shown = await shot('/downloads', { waitUntil: 'network-idle' })
    expect(shown).toMatchObject({ title: 'T', statusCode: 200, finalUrl: at('/downloads') })
    expect(seen.map(({ path }) => path)).toContain('/invoice')
  })

  it('a download is no page', async () => {
    expect((await failure(shot('/download'))).message).toMatch(/is a download, not a page/)
  })

  it.each([`/pdf`, '/to?at=%2Fpdf', '/moves-to-pdf'])(
    'a PDF is no page, and there is a tool for it: %s',
    async (path) => {
      expect(await failure(shot(path, { waitUntil: 'network-idle' }))).toEqual({
        code: 'upstream_error',
        message: `ok.test:${port} sent a PDF, which web_read_url reads, not a page.`,
        accepted: true,
      })
    },
  )

  it('a page that keeps the browser busy harms no other', async () => {
    const busy = failure(shot('/busy', { timeout: 5 }))
    expect(await shot('/')).toMatchObject({ statusCode: 200 })
    expect(await busy).toMatchObject({ code: 'upstream_error', accepted: true })
    expect(await shot('/popup')).toMatchObject({ title: 'still here' })
  })

  it('a page that takes the memory of the machine is ended, and harms no other', async () => {
    const small = makePool({ maxMiB: 800, everyMs: 100 })
    const signal = AbortSignal.timeout(120_000)
    const large = failure(shot('/large', { timeout: 60 }, signal, small))
    const other = shot('/late', { waitUntil: 'network-idle' }, signal, small)
    expect(await large).toMatchObject({ code: 'upstream_error', message: expect.stringMatching(/memory/) })
    expect(await other).toMatchObject({ statusCode: 200 })
    await small.close()
  })

  it.each([1, 60, 150, 300, 600])('a visit ends when its caller leaves after %i ms', async (afterMs) => {
    const leave = new AbortController()
    setTimeout(() => leave.abort(new Error('gone')), afterMs)
    await expect(shot('/hang', {}, leave.signal)).rejects.toThrow('gone')
    expect(await shot('/')).toMatchObject({ statusCode: 200 })
  })
})

describe('the pool', () => {
  it('takes more visits than it has places, and starts again after the browser is gone', async () => {
    const many = await Promise.all(Array.from({ length: 6 }, () => shot('/')))
    expect(many.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200, 200])
    await pool.close()
    expect(await shot('/')).toMatchObject({ statusCode: 200 })
  })

  it('lets another owner in while one owner’s pages hang', async () => {
    const stop = new AbortController()
    const options = { context: () => ({}), signal: stop.signal, onReached: () => {} }
    const hang = () => pool.visit({ ...options, ownerId: 7 }, async () => new Promise(() => {}))
    const hanging = Promise.allSettled(Array.from({ length: 5 }, hang))
    expect(await shot('/')).toMatchObject({ statusCode: 200 })
    stop.abort(new Error('over'))
    expect((await hanging).every(({ status }) => status === 'rejected')).toBe(true)
  })

  it('fails one visit when the browser dies in it, and starts another for the next', async () => {
    const options = { context: () => ({}), signal: AbortSignal.timeout(60_000), ownerId: 1, onReached: () => {} }
    const dying = pool.visit(options, async ({ page }) => {
      const cdp = await page.context().browser()?.newBrowserCDPSession()
      cdp?.send('Browser.crash').catch(() => {})
      await page.waitForTimeout(5_000)
    })
    expect(await failure(dying)).toMatchObject({ code: 'upstream_error', message: 'The browser gave up on the page.' })
    expect(await shot('/')).toMatchObject({ statusCode: 200 })
  })
})
