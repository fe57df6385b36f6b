import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { makeOwner } from '../../tests/support/owners'
import { withTemporaryStorage } from '../../tests/support/temporary-storage'
import { createHttpServer } from '../cli/web/http-server'
import { env } from '../env'
import { siteHosting, siteUrl } from '../env/site-hosting'
import { publishSite } from '../sites/publish'
import { sitesHandler } from './sites'

withTemporaryStorage()

const slug = 'door-test'
beforeAll(async () => {
  const { id } = await makeOwner(0)
  const paths = ['index.html', 'docs/index.html', 'app.mjs', 'Ünï côde.txt', '404.html', '%2e%2e', 'logo.svg']
  await publishSite(id, { slug, files: paths.map((p) => ({ path: p, content: `this is ${p}` })) })
})

const setSitesUrl = (url: string | undefined) => {
  Object.assign(env(), { SITES_URL: url })
  siteHosting.reset()
}
afterEach(() => setSitesUrl(undefined))

const ask = (at: string, init?: RequestInit, host = 'g.example') =>
  sitesHandler(new Request(`https://${host}${at}`, init))

describe('GET /sites/{slug}/…', () => {
  it('404 outside the sandbox without SITES_URL, where a page could pass for the sign-in page', async () => {
    Object.assign(env(), { sandbox: false })
    const res = await ask(`/sites/${slug}/`)
    Object.assign(env(), { sandbox: true })
    expect(res.status).toBe(404)
  })

  it('200 with type, version and a sandbox in which the page is nobody', async () => {
    const res = await ask(`/sites/${slug}/`)
    expect([res.status, await res.text()]).toEqual([200, 'this is index.html'])
    const headers = Object.fromEntries(res.headers)
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-length': '18',
      'content-security-policy': expect.stringMatching(/^sandbox allow-scripts /),
      'cross-origin-opener-policy': 'unsafe-none',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': '*',
      'cache-control': 'no-cache',
    })
    expect(headers['content-security-policy']).not.toContain('same-origin')
    expect(headers['content-security-policy']).not.toContain('top-navigation')
    expect(headers).not.toHaveProperty('set-cookie')
  })

  it.each([
    ['/app.mjs', 'text/javascript; charset=utf-8'],
    ['/logo.svg', 'image/svg+xml; charset=utf-8'],
    ['/docs/', 'text/html; charset=utf-8'],
    [`/${encodeURIComponent('Ünï côde.txt')}`, 'text/plain; charset=utf-8'],
  ])('%s is %s, sandboxed like the rest', async (at, type) => {
    const res = await ask(`/sites/${slug}${at}`)
    expect([res.status, res.headers.get('content-type')]).toEqual([200, type])
    expect(res.headers.get('content-security-policy')).toMatch(/^sandbox /)
  })

  it('304 for a reader who has it, 200 without a body for HEAD', async () => {
    const etag = (await ask(`/sites/${slug}/`)).headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/)
    const fresh = await ask(`/sites/${slug}/`, { headers: { 'if-none-match': `W/${etag}` } })
    expect([fresh.status, await fresh.text()]).toEqual([304, ''])
    const head = await ask(`/sites/${slug}/`, { method: 'HEAD' })
    expect([head.status, await head.text(), head.headers.get('content-length')]).toEqual([200, '', '18'])
  })

  it.each([
    [`/sites/${slug}?a=1`, `/sites/${slug}/?a=1`],
    [`/sites/${slug}/docs`, `/sites/${slug}/docs/`],
  ])('302 from %s to the folder', async (from, to) => {
    const res = await ask(from)
    expect([res.status, res.headers.get('location')]).toEqual([302, to])
  })

  it('404 with the site’s own page, never a 304', async () => {
    const res = await ask(`/sites/${slug}/nope`, { headers: { 'if-none-match': '*' } })
    expect([res.status, await res.text()]).toEqual([404, 'this is 404.html'])
  })

  it.each([
    '/sites/',
    '/sites//',
    `/sites//${slug}/`,
    '/sites/nobody-is-here',
    '/sites/nobody-is-here/',
    '/sites/DOOR-TEST/',
    `/sites/${slug}%00/`,
  ])('404 without any site for %s', async (at) => {
    const res = await ask(at)
    expect([res.status, await res.text()]).toEqual([404, 'Page not found.\n'])
    expect(res.headers.get('content-security-policy')).toMatch(/^sandbox /)
  })

  it('405 with Allow for anything but reading', async () => {
    const res = await ask(`/sites/${slug}/`, { method: 'POST' })
    expect([res.status, res.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    expect(res.headers.get('content-security-policy')).toMatch(/^sandbox /)
  })
})

describe('with SITES_URL', () => {
  it('sends visitors of the main host there, and serves there', async () => {
    setSitesUrl('https://pages.example.net')
    const res = await ask(`/sites/${slug}/docs/?q=%20x`)
    expect([res.status, res.headers.get('location')]).toEqual([
      302,
      `https://pages.example.net/sites/${slug}/docs/?q=%20x`,
    ])
    const there = await ask(`/sites/${slug}/`, {}, 'pages.example.net')
    expect(there.status).toBe(200)
    expect(there.headers.get('content-security-policy')).not.toContain('same-origin')
  })

  it('gives a site an origin of its own where SITES_URL has one for each', async () => {
    setSitesUrl('https://*.pages.example.net')
    expect(siteUrl(slug)).toBe(`https://${slug}.pages.example.net/`)
    const res = await ask(`/sites/${slug}/docs/?q=%20x`)
    expect([res.status, res.headers.get('location')]).toEqual([302, `https://${slug}.pages.example.net/docs/?q=%20x`])
    const there = await ask(`/sites/${slug}/`, {}, `${slug}.pages.example.net`)
    expect(there.status).toBe(200)
    expect(there.headers.get('content-security-policy')).toContain('allow-same-origin')
  })

  it('keeps the sandbox shut where these share the dashboard’s domain, and so could set it cookies', async () => {
    setSitesUrl('https://*.sites.g.example')
    const there = await ask(`/sites/${slug}/`, {}, `${slug}.sites.g.example`)
    expect(there.status).toBe(200)
    expect(there.headers.get('content-security-policy')).not.toContain('same-origin')
  })
})

describe('on the wire', () => {
  const server = createHttpServer((_req, res) => void res.end('a page of the dashboard'), { count: 0 })
  beforeAll(() => new Promise<void>((done) => server.listen(0, '127.0.0.1', done)))
  afterAll(() => {
    server.close()
    server.closeAllConnections()
  })

  /** A request line as it stands, which fetch would tidy up. */
  async function raw(target: string, host = 'g.example'): Promise<string> {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    socket.write(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
    return text(socket)
  }

  it('serves a page', async () => {
    expect(await raw(`/sites/${slug}/`)).toMatch(/^HTTP\/1\.1 200 [\s\S]*this is index\.html/)
  })

  it.each([
    `/sites/${slug}/%2e%2e/%2e%2e/etc/passwd`,
    `/sites/${slug}/..%2f..%2fetc%2fpasswd`,
    `/sites/${slug}/..%5c..%5cetc%5cpasswd`,
    `/sites/${slug}/index.html%00.png`,
    `/sites/${slug}/%zz`,
    `/sites/${slug}/%c0%ae%c0%ae/`,
    `/sites/%2e%2e/${slug}/`,
    `/sites/${slug}/docs%2findex.html`,
  ])('finds nothing for %s', async (target) => {
    const answer = await raw(target)
    expect(answer).not.toMatch(/this is (?!404)|root:/)
    // Dots in a path are resolved before the handler is found; the rest may not be a site's.
    if (!answer.includes('a page of the dashboard')) expect(answer).toMatch(/^HTTP\/1\.1 404 /)
  })

  it('finds a file whose name looks like dots, under its encoded name only', async () => {
    expect(await raw(`/sites/${slug}/%252e%252e`)).toContain('this is %2e%2e')
  })

  it('serves nothing but sites at their own host, and no site at ours', async () => {
    setSitesUrl('https://pages.example.net')
    for (const target of [
      '/',
      '/keys',
      '/healthz',
      '/api/v1/models',
      '/sites',
      `/sites/../keys`,
      '/sites/%2e%2e/keys',
    ]) {
      const answer = await raw(target, 'PAGES.example.net')
      expect(answer, target).toMatch(/^HTTP\/1\.1 404 /)
      expect(answer, target).not.toContain('dashboard')
    }
    expect(await raw(`/sites/${slug}/`, 'pages.example.net')).toContain('this is index.html')
    expect(await raw(`/sites/${slug}/`)).toMatch(/^HTTP\/1\.1 302 /)
    expect(await raw('/keys')).toContain('a page of the dashboard')
  })

  it('serves one site and nothing else at its own origin', async () => {
    setSitesUrl('https://*.pages.example.net')
    const own = `${slug}.PAGES.example.net`
    expect(await raw('/', own)).toContain('this is index.html')
    expect(await raw('/docs?a=1', own)).toMatch(/location: \/docs\/\?a=1/)
    expect(await raw('/docs/', own)).toContain('this is docs/index.html')
    for (const target of ['/keys', '/healthz', '/api/v1/models', `/sites/${slug}/`, `/../${slug}/`, '//x/../../other/'])
      expect(await raw(target, own), target).toContain('this is 404.html')
    for (const host of ['nobody-here.pages.example.net', 'a.b.pages.example.net', '_x.pages.example.net']) {
      expect(await raw('/', host), host).toMatch(/^HTTP\/1\.1 404 /)
      expect(await raw(`/sites/${slug}/`, host), host).not.toContain('this is')
    }
    expect(await raw('/keys')).toContain('a page of the dashboard')
  })

  it('asks a browser to delete the cookies that keep it from a site, and only from a site', async () => {
    setSitesUrl('https://*.pages.example.net')
    const bombed = (host: string) => raw('/', `${host}\r\nCookie: a=${'x'.repeat(40_000)}`)
    expect(await bombed(`${slug}.pages.example.net`)).toMatch(/^HTTP\/1\.1 431 [\s\S]*clear-site-data: "cookies"/)
    expect(await bombed('g.example')).not.toContain('clear-site-data')
  })
})
