import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { closeDb, prisma } from '../../db'
import { findHostedFile } from '../../files/read'
import { describeParams } from '../params'
import { closeChromium } from './chromium'
import { webScreenshot } from './web_screenshot'

let server: Server
let base: string
let folder: string
let ownerId: number

/** Each page is red as soon as what it is named after has happened, and not before. */
const RED = `document.documentElement.style.background = '#f00'`
const pages: Record<string, string> = {
  '/': '<h1>Hello</h1>',
  '/visible': `<img src="/slow.svg" width="40" height="40" onload="${RED}"><p>text</p>`,
  '/mutating': `<p>text</p><script>let n = 0; const t = setInterval(() => { document.body.append('.'); if (++n === 24) { clearInterval(t); ${RED} } }, 50)</script>`,
  '/loading': `<p>text</p><script>onload = async () => { for (let i = 0; i < 20; i++) { await fetch('/x?' + i); await new Promise((r) => setTimeout(r, 50)) } ${RED} }</script>`,
  '/media': `<p>text</p><script>onload = () => { const i = new Image(40, 40); i.src = '/slow.svg'; i.onload = () => { ${RED} }; document.body.append(i) }</script>`,
  '/network': `<p>text</p><script>setTimeout(() => fetch('/slow.svg').then(() => { ${RED} }), 100)</script>`,
  '/never': `<p>text</p><script>setInterval(() => { document.body.append('.'); fetch('/x') }, 100)</script>`,
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tollgate-shots-'))
  server = createServer((req, res) => {
    const { pathname } = new URL(req.url ?? '/', 'http://x')
    if (pathname === '/slow.svg') {
      const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"/>'
      return void setTimeout(() => res.writeHead(200, { 'content-type': 'image/svg+xml' }).end(svg), 900)
    }
    if (pathname === '/x') return void res.end('x')
    const page = pages[pathname]
    res
      .writeHead(page ? 200 : 404, { 'content-type': 'text/html' })
      .end(`<!doctype html><title>T</title>${page ?? 'none'}`)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  base = `http://localhost:${port}`
  vi.stubEnv('STORAGE_URL', `file:${folder}`)
  vi.stubEnv('PUBLIC_URL', 'https://gateway.example')
  vi.stubEnv('ALLOW_PRIVATE_HOSTS', `localhost:${port}`)
  ownerId = (await prisma().owner.create({ data: { email: `shots-${Date.now()}@example.com` } })).id
})
afterAll(async () => {
  await closeChromium()
  server.closeAllConnections()
  server.close()
  await closeDb()
  await rm(folder, { recursive: true })
})

type Shot = { url: string; bytes: number; width: number; height: number }

async function run(params: Record<string, unknown>): Promise<Shot> {
  const input = webScreenshot.params.parse(params) as never
  const accepted = vi.fn()
  const result = await webScreenshot.run(input, {
    signal: AbortSignal.timeout(120_000),
    ownerId,
    onSent: accepted,
    spent: () => {},
  })
  expect(webScreenshot.output.parse(result)).toEqual(result)
  expect(accepted).toHaveBeenCalled()
  return result as Shot
}

const hosted = async (shot: Shot): Promise<Buffer> => {
  const file = await findHostedFile(new URL(shot.url).pathname.split('/').at(-1) ?? '')
  const stream = await file?.open()
  return Buffer.from(await new Response(stream).arrayBuffer())
}

describe('a screenshot', () => {
  it('is hosted for its owner at a public URL', async () => {
    const shot = await run({ url: base })
    expect(shot.url).toMatch(/^https:\/\/gateway\.example\/files\/[0-9a-f]{32}\.png$/)
    const png = await hosted(shot)
    expect(png).toHaveLength(shot.bytes)
    expect([png.toString('latin1', 1, 4), png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([
      'PNG',
      shot.width,
      shot.height,
    ])
    expect(await prisma().file.count({ where: { ownerId, contentType: 'image/png' } })).toBe(1)
  })

  it('leaves nothing behind when it fails', async () => {
    const before = await prisma().file.count({ where: { ownerId } })
    await expect(run({ url: `${base}/none`, assertStatusCode: 200 })).rejects.toMatchObject({ code: 'upstream_error' })
    await expect(run({ url: 'http://127.0.0.1:9/' })).rejects.toMatchObject({ code: 'invalid_request' })
    await expect(run({ url: 'file:///etc/passwd' })).rejects.toMatchObject({ code: 'invalid_request' })
    expect(await prisma().file.count({ where: { ownerId } })).toBe(before)
  })
})

describe('waitUntil', () => {
  const viewport = { width: 64, height: 64 }
  /**
   * A plain white image of this size packs smaller than one with a coloured ground; the text is
   * hidden.
   */
  const shoot = async (page: string, more: object) => {
    const shot = await run({ url: `${base}${page}`, viewport, hideSelectors: ['p', 'img'], ...more })
    return (await hosted(shot)).toString('base64')
  }

  it.each([
    ['visible-content', '/visible'],
    ['mutation-idle', '/mutating'],
    ['resource-idle', '/loading'],
    ['media-idle', '/media'],
    ['network-idle', '/network'],
  ])('%s waits for what it says', async (waitUntil, page) => {
    const ready = await shoot(page, { waitUntil })
    const white = await shoot('/', { hideSelectors: ['h1'] })
    expect(ready).not.toBe(white)
  })

  it.each(['mutation-idle', 'network-idle'])('%s takes what is there when it never comes', async (waitUntil) => {
    expect(await run({ url: `${base}/never`, waitUntil, timeout: 2 })).toMatchObject({ width: expect.any(Number) })
  })
})

describe('parameters', () => {
  const url = 'https://example.com'
  it.each([
    {},
    { url, more: 1 },
    { url, viewport: { width: 100 } },
    { url, viewport: { width: 100, height: 100, depth: 1 } },
    { url, viewport: { width: 10.5, height: 100 } },
    { url, viewport: { width: 3840, height: 4320, deviceScaleFactor: 3 } },
    { url, device: 'watch' },
    { url, fullPage: 'true' },
    { url, hideSelectors: '.ad' },
    { url, waitUntil: 'load' },
    { url, timeout: 181 },
    { url, timeout: 0 },
    { url, locale: 'not a locale' },
    { url, userAgent: 'a\r\nX-Header: b' },
    { url, assertStatusCode: 99 },
  ])('%j is refused', (params) => {
    expect(webScreenshot.params.safeParse(params).success).toBe(false)
  })

  it('only url is required; fullPage and timeout have defaults', () => {
    expect(webScreenshot.params.parse({ url })).toEqual({ url, fullPage: false, timeout: 15 })
    const types = Object.fromEntries(
      describeParams(webScreenshot).map(({ name, type, required }) => [name, `${type}${required ? '!' : ''}`]),
    )
    expect(types).toEqual({
      url: 'string!',
      viewport: 'object',
      device: '"desktop" | "tablet" | "mobile"',
      fullPage: 'boolean',
      hideSelectors: 'string[]',
      darkMode: 'boolean',
      waitForSelector: 'string',
      waitUntil: '"visible-content" | "mutation-idle" | "resource-idle" | "media-idle" | "network-idle"',
      timeout: 'number',
      locale: 'string',
      userAgent: 'string',
      noCache: 'boolean',
      assertStatusCode: 'integer',
    })
  })
})
