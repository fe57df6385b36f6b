import { afterEach, describe, expect, it } from 'vitest'
import { env } from '../../server/env'
import { MOUNTS } from '../../server/http/mounts'
import { send, withSandbox } from '../support/api'
import { CHAT_PATH, makeChatter, scriptedBody } from '../support/chat'
import { expectUntouched, readOwnerMoney } from '../support/ledger'
import { fetchFromListener } from '../support/listener'
import { makeCaller } from '../support/owners'

withSandbox()
const APP = 'https://app.example.com'
const EVIL = 'https://evil.example'
const allow = (...origins: string[]) => Object.assign(env(), { CORS_ORIGINS: origins })
afterEach(() => allow())

const pathOf = (at: string) => at.replaceAll('*', 'x')
const isOfApi = (path: string) => /^\/(api\/|openai\/)?v1\//.test(path)
const forKeys = MOUNTS.map(([at]) => pathOf(at)).filter(isOfApi)
/** Where a client gets a key: open to every origin, whatever CORS_ORIGINS says. */
const forClients = ['/.well-known/x', '/register', '/token', '/revoke']
const forOthers = MOUNTS.map(([at]) => pathOf(at)).filter((path) => !isOfApi(path) && !forClients.includes(path))

const ask = (path: string, origin: string, more: Record<string, string> = {}) =>
  send(path, { method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'POST', ...more } })

const corsIn = (headers: Headers) => [...headers.keys()].filter((name) => name.startsWith('access-control-'))

describe('a preflight', () => {
  it.each(forKeys)('of %s is 204 without a key', async (path) => {
    allow(APP)
    const { status, headers, text } = await ask(path, APP)
    expect([status, text]).toEqual([204, ''])
    expect(headers.get('access-control-allow-origin')).toBe(APP)
    expect(headers.get('access-control-allow-methods')).toContain('POST')
    expect(headers.get('vary')).toBe('Origin')
    expect(headers.get('x-request-id')).toMatch(/\S/)
    expect(headers.has('access-control-allow-credentials')).toBe(false)
  })

  it.each(forOthers)('of %s, which takes no key, is not answered', async (path) => {
    allow('*')
    expect(
      corsIn((await ask(path, APP)).headers).filter(
        (name) => !path.startsWith('/sites/') || name !== 'access-control-allow-origin',
      ),
    ).toEqual([])
  })

  it('allows what clients send, and nothing else', async () => {
    allow(APP)
    const known =
      'authorization, content-type, x-api-key, idempotency-key, last-event-id, anthropic-version, anthropic-beta, ' +
      'anthropic-dangerous-direct-browser-access, openai-organization, x-stainless-retry-count, mcp-protocol-version, ' +
      'mcp-method, mcp-name, mcp-session-id'
    const { headers } = await ask(CHAT_PATH, APP, {
      'access-control-request-headers': `${known}, Cookie, x-forwarded-for, x-tollgate-peer`,
    })
    expect(headers.get('access-control-allow-headers')).toBe(known)
  })

  it('is refused to another origin, and to all by default', async () => {
    for (const origins of [[APP], []]) {
      allow(...origins)
      for (const origin of [
        EVIL,
        'null',
        `${APP}.evil.example`,
        'https://app.example.com:8443',
        'http://app.example.com',
      ]) {
        const { status, headers } = await ask(CHAT_PATH, origin)
        expect([status, corsIn(headers)], origin).toEqual([405, []])
      }
    }
    expect((await ask(CHAT_PATH, APP)).status).toBe(405)
  })

  it('does not count, and any other OPTIONS is 405', async () => {
    allow(APP)
    const { key, owner } = await makeCaller(1_000, { rpm: 1 })
    for (let i = 0; i < 3; i++)
      expect((await ask('/api/v1/key', APP, { authorization: `Bearer ${key.key}` })).status).toBe(204)
    expect((await send('/api/v1/key', { key: key.key, headers: { origin: APP } })).status).toBe(200)
    const plain = await send('/api/v1/key', { method: 'OPTIONS', headers: { origin: APP } })
    expect(plain.status).toBe(405)
    expect(plain.headers.get('access-control-allow-origin')).toBe(APP)
    await expectUntouched(owner)
  })
})

describe('a response', () => {
  it('may be read by an allowed origin, with its id, its limits and when to try again', async () => {
    allow('https://other.example.com', APP)
    const { key } = await makeCaller(10, { rpm: 1 })
    const first = await send('/api/v1/key', { key: key.key, headers: { origin: APP } })
    const second = await send('/api/v1/key', { key: key.key, headers: { origin: APP } })
    expect([first.status, second.status]).toEqual([200, 429])
    for (const { headers } of [first, second]) {
      expect(headers.get('access-control-allow-origin')).toBe(APP)
      const exposed = headers.get('access-control-expose-headers')?.split(', ') ?? []
      for (const name of ['x-request-id', 'x-ratelimit-remaining-requests', 'retry-after', 'idempotent-replayed'])
        expect(exposed).toContain(name)
    }
  })

  it('is for every origin with *, by name for none', async () => {
    allow('*')
    const { headers } = await send('/api/v1/models', { headers: { origin: EVIL } })
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.has('access-control-allow-credentials')).toBe(false)
  })

  it('is not for another origin, and varies by it; without the setting nothing does', async () => {
    allow(APP)
    const other = await send('/api/v1/models', { headers: { origin: EVIL } })
    expect([corsIn(other.headers), other.headers.get('vary')]).toEqual([[], 'Origin'])
    expect((await send('/api/v1/openapi.json')).headers.get('vary')).toBe('authorization, x-api-key, Origin')
    allow()
    const off = await send('/api/v1/models', { headers: { origin: APP } })
    expect([corsIn(off.headers), off.headers.get('vary')]).toEqual([[], null])
  })

  it('of a stream is shared too', async () => {
    allow(APP)
    const { key, owner } = await makeChatter()
    const { status, headers, text } = await send(CHAT_PATH, {
      key: key.key,
      headers: { origin: APP },
      body: scriptedBody({ text: 'Hello' }, { stream: true }),
    })
    expect([status, headers.get('access-control-allow-origin')]).toEqual([200, APP])
    expect(text).toContain('[DONE]')
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 1, held: 0 })
  })
})

describe('MCP', () => {
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  const post = (key: string, origin: string) => send('/api/v1/mcp', { key, body: list, headers: { origin } })

  it('is served to an allowed origin, and 403 for another', async () => {
    allow(APP)
    const { key } = await makeCaller()
    expect(await post(key.key, APP)).toMatchObject({ status: 200 })
    expect(await post(key.key, EVIL)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    allow('*')
    expect(await post(key.key, EVIL)).toMatchObject({ status: 200 })
  })
})

describe('the dashboard’s own paths', () => {
  it.each(['/api/trpc/keys.list', '/api/auth/session', '/api/playground/chat'])('%s are never shared', async (path) => {
    allow('*')
    const response = await fetchFromListener(`http://localhost:3000${path}`, { headers: { origin: EVIL } })
    expect(corsIn(response.headers)).toEqual([])
  })
})
