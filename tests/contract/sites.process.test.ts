import type { AddressInfo } from 'node:net'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHttpServer } from '../../server/cli/web/http-server'
import { env } from '../../server/env'
import { siteHosting } from '../../server/env/site-hosting'
import { publishSite } from '../../server/sites/publish'
import { findChromiumPath } from '../../server/tools/web/find-chromium'
import { webSettings } from '../../server/tools/web/settings'
import { makeOwner } from '../support/owners'
import { siteFiles } from '../support/sites'
import { withTemporaryStorage } from '../support/temporary-storage'

withTemporaryStorage()

/**
 * What a hosted page does to be the dashboard; what came of each attempt ends up in its title, as
 * JSON.
 */
const ATTACK = `<!doctype html><meta charset="utf-8"><iframe name="frame"></iframe>
<form method="post" action="/act?by=form" target="frame"><input name="a"></form>
<script type="module">
const attempt = async (act) => { try { return String(await act()) } catch (error) { return error.name } }
const opened = () => new Promise((done) => {
  const other = window.open('/keys')
  setTimeout(async () => done(await attempt(() => other.document.title)), 500)
})
const results = {
  origin: self.origin,
  module: (await import('./part.mjs')).said,
  data: await attempt(() => fetch('./data.json').then((res) => res.text())),
  cookie: await attempt(() => document.cookie = 'session=stolen'),
  storage: await attempt(() => localStorage.length),
  worker: await attempt(() => navigator.serviceWorker.register('./part.mjs')),
  read: await attempt(() => fetch('/keys', { credentials: 'include' }).then((res) => res.text())),
  post: await attempt(() => fetch('/act?by=fetch', { method: 'POST', credentials: 'include', mode: 'no-cors' }).then(() => 'sent')),
  popup: await opened(),
}
document.forms[0].submit()
setTimeout(() => { document.title = JSON.stringify(results) }, 500)
</script>`

/** Requests that came to the dashboard's pages, each with the cookie that came along. */
const asked: string[] = []
/** A simulated dashboard that signs in every visitor, with a cookie like the real one. */
const server = createHttpServer(
  (req, res) => {
    asked.push(`${req.method} ${req.url} ${req.headers.cookie ?? 'nobody'}`)
    res.setHeader('set-cookie', 'session=owner; HttpOnly; SameSite=Lax; Path=/')
    res.setHeader('cross-origin-opener-policy', 'same-origin')
    res.setHeader('x-frame-options', 'DENY')
    res.end('<title>the keys</title>secret')
  },
  { count: 0 },
)
let browser: Browser
let base: string

beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { id } = await makeOwner(0)
  const files = siteFiles(['index.html', ATTACK], ['part.mjs', 'export const said = "a module"'], ['data.json', '[1]'])
  await publishSite(id, { slug: 'attack', files })
  browser = await chromium.launch({
    executablePath: findChromiumPath(webSettings().CHROMIUM_PATH) ?? '',
    chromiumSandbox: false,
    args: [
      '--host-resolver-rules=MAP *.test 127.0.0.1',
      // As it would be over https: only then cookies are deleted on request.
      `--unsafely-treat-insecure-origin-as-secure=${base.replace('127.0.0.1', 'keeper-a.pages.test')}`,
    ],
  })
})
afterAll(async () => {
  await browser.close()
  server.close()
  server.closeAllConnections()
})

test('a hosted page works, and is nobody to the dashboard: no cookies, no storage, no answers, no window', async () => {
  const page = await (await browser.newContext()).newPage()
  await page.goto(`${base}/keys`)
  await page.goto(`${base}/keys`)
  expect(asked).toContain('GET /keys session=owner')
  asked.length = 0

  await page.goto(`${base}/sites/attack`)
  expect(page.url()).toBe(`${base}/sites/attack/`)
  await page.waitForFunction(() => document.title.startsWith('{'))
  expect(JSON.parse(await page.title())).toEqual({
    origin: 'null',
    module: 'a module',
    data: '[1]',
    cookie: 'SecurityError',
    storage: 'SecurityError',
    worker: expect.stringMatching(/Error$/),
    read: 'TypeError',
    post: 'sent',
    popup: expect.stringMatching(/Error$/),
  })
  // What it sends comes from nobody; the window it opened is the owner's own, and out of its reach.
  const sent = asked.filter((line) => !line.includes('favicon')).sort()
  expect(sent).toEqual([
    'GET /keys nobody',
    'GET /keys session=owner',
    'POST /act?by=fetch nobody',
    'POST /act?by=form nobody',
  ])
  expect(await page.context().cookies()).toMatchObject([{ name: 'session', value: 'owner' }])
})

/** A page that keeps something, shows what it finds, and sets cookies for all sites that can be. */
const KEEPER = `<!doctype html><script>
let found
try { found = localStorage.getItem('secret'); localStorage.setItem('secret', location.host) } catch (error) { found = error.name }
document.title = 'found ' + found
if (location.search === '?bomb') for (let i = 0; i < 12; i++)
  document.cookie = 'c' + i + '=' + 'x'.repeat(3900) + '; domain=pages.test; path=/'
</script>`

async function withSitesUrl(url: string, work: () => Promise<void>): Promise<void> {
  const before = env().SITES_URL
  Object.assign(env(), { SITES_URL: url })
  siteHosting.reset()
  try {
    await work()
  } finally {
    Object.assign(env(), { SITES_URL: before })
    siteHosting.reset()
  }
}

test('a site with an origin of its own keeps what it stores to itself, and cannot lock another out', async () => {
  const { id } = await makeOwner(0)
  for (const slug of ['keeper-a', 'keeper-b']) await publishSite(id, { slug, files: siteFiles(['index.html', KEEPER]) })
  const { port } = new URL(base)
  await withSitesUrl(`http://*.pages.test:${port}`, async () => {
    const page = await (await browser.newContext()).newPage()
    const visit = async (at: string) => {
      const response = await page.goto(`http://${at}`)
      return [response?.status(), await page.title()]
    }
    const [a, b] = ['keeper-a', 'keeper-b'].map((slug) => `${slug}.pages.test:${port}/`)
    expect(await visit(`${a}`)).toEqual([200, 'found null'])
    expect(await visit(`${a}`)).toEqual([200, `found keeper-a.pages.test:${port}`])
    expect(await visit(`${b}?bomb`)).toEqual([200, 'found null'])
    expect(await page.context().cookies()).toHaveLength(12)
    expect((await visit(`${a}`))[0]).toBe(431)
    // Its cookies were deleted with that answer.
    expect((await visit(`${a}`))[0]).toBe(200)
  })
})

test('sites that share a host store nothing', async () => {
  const { port } = new URL(base)
  await withSitesUrl(`http://pages.test:${port}`, async () => {
    const page = await (await browser.newContext()).newPage()
    await page.goto(`http://pages.test:${port}/sites/keeper-a/?bomb`)
    expect(await page.title()).toBe('found SecurityError')
    expect(await page.context().cookies()).toEqual([])
  })
})
