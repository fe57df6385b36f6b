import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { env } from '../../server/env'
import { listKeys } from '../../server/keys/list'
import { revokeKey } from '../../server/keys/revoke'
import { withSandbox } from '../support/api'
import { readOwnerMoney } from '../support/ledger'
import { sharedListener } from '../support/listener'
import { type CallResult, MCP_PATH } from '../support/mcp'
import {
  allowOnPage,
  authorizationOf,
  cookieOf,
  LOOPBACK_REDIRECT,
  makePkce,
  redirectOf,
  resetClientCounters,
  sendForm,
} from '../support/oauth'
import { allowInBrowser, makeOAuthProvider } from '../support/oauth-client'
import { makeOwner } from '../support/owners'

withSandbox()
beforeEach(resetClientCounters)

/** Documents by path, as clients publish them, and how often each was fetched. */
const published = new Map<string, { status?: number; location?: string; body: string }>()
let fetched = 0
let documents: Server
let documentsUrl = ''
const original = { ...env() }

beforeAll(async () => {
  documents = createServer((req, res) => {
    fetched++
    const found = published.get(req.url ?? '')
    const { status = found ? 200 : 404, location = '' } = found ?? {}
    res.writeHead(status, { 'content-type': 'application/json', ...(location && { location }) })
    res.end(found?.body)
  })
  await new Promise<void>((resolve) => documents.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(documents.address() as AddressInfo).port}`
  documentsUrl = `http://${host}`
  Object.assign(env(), { ALLOW_PRIVATE_HOSTS: [...env().ALLOW_PRIVATE_HOSTS, host] })
  Object.assign(env(), { PUBLIC_URL: (await sharedListener()).url })
})
afterAll(async () => {
  Object.assign(env(), original)
  await new Promise((resolve) => documents.close(resolve))
})

const publish = (path: string, more: object = {}, answer: object = {}): string => {
  const url = `${documentsUrl}${path}`
  const document = { client_id: url, client_name: 'Published', redirect_uris: [LOOPBACK_REDIRECT], ...more }
  published.set(path, { body: JSON.stringify(document), ...answer })
  return url
}

const mcp = () => new URL(MCP_PATH, env().PUBLIC_URL)
type Provider = ReturnType<typeof makeOAuthProvider>['provider']
const SDKS = [
  [
    'the SDK 2.x',
    (authProvider: Provider) => {
      const transport = new StreamableHTTPClientTransport(mcp(), { authProvider })
      const client = new Client({ name: 'new', version: '1' })
      // This one also compares `iss` with the server that it was sent to.
      const finish = (back: URLSearchParams) => transport.finishAuth(back)
      return { client, connect: () => client.connect(transport), finish }
    },
  ],
  [
    'the SDK 1.x',
    (authProvider: Provider) => {
      const transport = new OldTransport(mcp(), { authProvider })
      const client = new OldClient({ name: 'old', version: '1' })
      const finish = (back: URLSearchParams) => transport.finishAuth(back.get('code') ?? '')
      return { client, connect: () => client.connect(transport), finish }
    },
  ],
] as const

const WAYS = [
  ['registers itself', () => undefined],
  ['publishes its metadata', () => publish('/sdk/client.json')],
] as const

describe.each(SDKS)('%s', (_sdk, open) => {
  it.each(WAYS)('gets a key when it %s, calls a tool, and asks again when the key is revoked', async (_way, url) => {
    const owner = await makeOwner()
    const cookie = await cookieOf(owner)
    const { provider, kept } = makeOAuthProvider(LOOPBACK_REDIRECT, url())
    const first = open(provider)
    await expect(first.connect()).rejects.toThrow(/unauthorized/i)
    expect(kept.sentTo?.searchParams.get('resource')).toBe(mcp().href)
    expect(kept.sentTo?.searchParams.get('scope')).toBe('tools')
    expect(kept.client).toMatchObject({ client_id: url() ?? expect.stringMatching(/^[0-9a-f-]{36}$/) })

    const back = await allowInBrowser(kept.sentTo, cookie, { tools: 'all', budget: 10 })
    expect(back.get('state')).toBe('state of the client')
    await first.finish(back)
    const second = open(provider)
    await second.connect()
    const call = { name: 'crypto_get_prices', arguments: { coinIds: ['bitcoin'] } }
    expect((await second.client.listTools()).tools.length).toBeGreaterThan(1)
    expect((await second.client.callTool(call)) as CallResult).toMatchObject({ service: { credits_charged: 3 } })
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 3, held: 0, receipts: 1 })

    const [key] = (await listKeys(owner.id, { limit: 10 })).rows
    expect(key).toMatchObject({
      spent: 3,
      budget: 10,
      client: { id: (kept.client as { client_id: string }).client_id },
    })
    await revokeKey(owner.id, key?.id ?? 0)
    kept.sentTo = undefined
    await expect(second.client.callTool(call)).rejects.toThrow(/unauthorized/i)
    expect(kept.sentTo).toBeInstanceOf(URL)
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 3, held: 0, receipts: 1 })
    await second.client.close()
  })
})

describe('a client’s published metadata', () => {
  const allow = async (clientId: string, more: Record<string, string> = {}) => {
    const { verifier, challenge } = makePkce()
    const answer = await allowOnPage(await cookieOf(await makeOwner()), authorizationOf(clientId, challenge, more))
    return { answer, verifier }
  }

  it('is fetched once, and not again to exchange the code', async () => {
    const clientId = publish('/once.json')
    const before = fetched
    const { answer, verifier } = await allow(clientId)
    await allow(clientId)
    const form = {
      grant_type: 'authorization_code',
      code: redirectOf(answer).searchParams.get('code') ?? '',
      client_id: clientId,
      redirect_uri: LOOPBACK_REDIRECT,
      code_verifier: verifier,
    }
    published.delete('/once.json')
    expect(await sendForm('/token', form)).toMatchObject({ status: 200 })
    expect(fetched).toBe(before + 1)
  })

  it.each([
    ['of another client', () => publish('/a.json', { client_id: 'https://other.example/client.json' })],
    ['that is missing', () => `${documentsUrl}/missing.json`],
    ['that is a redirect', () => publish('/b.json', {}, { status: 302, location: `${documentsUrl}/once.json` })],
    ['that is not JSON', () => publish('/c.json', {}, { body: '<html>' })],
    ['that is too large', () => publish('/d.json', { client_name: 'x'.repeat(70_000) })],
    ['without redirect URIs', () => publish('/e.json', { redirect_uris: [] })],
    ['with a dangerous redirect URI', () => publish('/f.json', { redirect_uris: ['javascript:alert(1)'] })],
    ['with other redirect URIs', () => publish('/g.json', { redirect_uris: ['https://app.example/cb'] })],
    ['on a private address', () => 'https://169.254.169.254/client.json'],
    ['on another port of this machine', () => 'https://127.0.0.1:1/client.json'],
    ['over http', () => 'http://app.example/client.json'],
    ['at the root of a host', () => `${documentsUrl}/`],
    ['with a fragment', () => `${publish('/h.json')}#x`],
    ['with dots in its path', () => `${documentsUrl}/x/../h.json`],
    ['with a password', () => 'https://a:b@app.example/client.json'],
  ])('is refused %s', async (_name, clientId) => {
    const { answer } = await allow(clientId())
    expect(answer.status).toBe(400)
  })
})
