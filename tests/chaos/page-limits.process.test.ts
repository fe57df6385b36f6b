import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeDb } from '../../server/db'
import { exchangeBytes, floodBody } from '../support/socket'
import { startWebProcess, type WebProcess } from '../support/web-process'

const MIB = 1024 * 1024
const FLOOD = 256 * MIB
const PATHS = [
  '/',
  '/signin',
  '/overview',
  '/unknown',
  '/usage/export',
  '/_next/image',
  '/_next/static/x.js',
  '/.well-known/x',
  '/api/auth/callback/credentials',
  '/api/unknown',
]

let web: WebProcess
let port: number
beforeAll(async () => {
  // With little space for garbage, so that memory shows what is kept.
  web = await startWebProcess({ NODE_OPTIONS: '--max-semi-space-size=8' })
  port = Number(new URL(web.url).port)
})
afterAll(async () => {
  await web.kill('SIGTERM')
  await closeDb()
})

/** The memory of the server, bytes. */
const memory = () =>
  Number(execFileSync('ps', ['-o', 'rss=', '-p', String(web.child.pid)], { encoding: 'utf8' })) * 1024

const headOf = (method: string, path: string, more = '') =>
  `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n${more}`

describe('the production server over Next', () => {
  it.each(['/signin', '/docs', '/', '/healthz'])('serves %s without Host', async (path) => {
    for (const version of ['1.0', '1.1']) {
      const answer = await exchangeBytes(port, `GET ${path} HTTP/${version}\r\nConnection: close\r\n\r\n`)
      expect(answer.status, answer.text.slice(0, 300)).toBe(200)
      expect(answer.head).toContain('x-request-id')
    }
  })

  it('takes a server action and its answer through its bounded body', async () => {
    const page = await (await fetch(`${web.url}/signin`)).text()
    const form = new FormData()
    for (const [input] of page.matchAll(/<input type="hidden"[^>]*>/g)) {
      const name = /name="([^"]*)"/.exec(input)?.[1]
      const value = /value="([^"]*)"/.exec(input)?.[1] ?? ''
      if (name) form.set(name, value.replaceAll('&quot;', '"').replaceAll('&amp;', '&'))
    }
    form.set('email', 'nobody@example.com')
    form.set('password', 'not the password')
    const answer = await fetch(`${web.url}/signin`, { method: 'POST', body: form, headers: { origin: web.url } })
    expect(answer.status).toBe(200)
    expect(await answer.text()).toContain('nobody@example.com')
  })

  it('refuses floods at pages and paths of nobody, chunked and with Content-Length, without keeping them', async () => {
    await Promise.all(PATHS.map((path) => fetch(web.url + path)))
    const before = memory()
    let highest = before
    const timer = setInterval(() => {
      highest = Math.max(highest, memory())
    }, 100)
    const floods = PATHS.flatMap((path) =>
      ['POST', 'GET', 'PUT'].flatMap((method) => [true, false].map((isChunked) => ({ method, path, isChunked }))),
    )
    for (let i = 0; i < floods.length; i += 12) {
      await Promise.all(
        floods.slice(i, i + 12).map(async ({ method, path, isChunked }) => {
          const { answer, sent } = await floodBody(port, headOf(method, path), { total: FLOOD, isChunked })
          const what = `${method} ${path}: ${answer.text.slice(0, 200)}`
          expect(answer.status, what).toBeGreaterThanOrEqual(200)
          expect(answer.status, what).toBeLessThan(500)
          const isReadOnly = path.startsWith('/.well-known/')
          if (method === 'POST') expect(answer.status, what).toBe(isReadOnly ? 405 : 413)
          // What the kernel's buffers took in between counts here too.
          expect(sent, what).toBeLessThan(32 * MIB)
        }),
      )
    }
    clearInterval(timer)
    // 15 GiB were offered.
    expect(highest - before).toBeLessThan(250 * MIB)
    expect((await fetch(`${web.url}/healthz`)).status).toBe(200)
    expect(web.log()).not.toMatch(/ERR_HTTP|ERR_STREAM/)
  })
})
