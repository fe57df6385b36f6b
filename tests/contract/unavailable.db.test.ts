import { createServer, type Server } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { closeDb } from '../../server/db'
import { env } from '../../server/env'
import { makeSecret } from '../../server/keys/secret'
import { log } from '../../server/kit/log'
import { send } from '../support/api'
import { MCP_REVISIONS, mcpFailureOf } from '../support/mcp'

// Nothing in this file may reach the database of the run: its process has one that is away.
let hangUp: Server
const addresses: Record<string, string> = {}
beforeAll(async () => {
  env()
  log.level = 'silent'
  hangUp = createServer((socket) => socket.destroy())
  await new Promise<void>((resolve) => hangUp.listen(0, '127.0.0.1', resolve))
  const { port } = hangUp.address() as { port: number }
  addresses['refuses connections'] = 'postgresql://u:secret@127.0.0.1:1/gone'
  addresses['hangs up'] = `postgresql://u:secret@127.0.0.1:${port}/gone`
})
afterAll(() => hangUp.close())

const asked = { tool: 'crypto_get_prices', params: { coinIds: ['bitcoin'] } }

describe.each(['refuses connections', 'hangs up'])('503 while the database %s', (how) => {
  beforeEach(() => {
    Object.assign(env(), { DATABASE_URL: addresses[how] })
    // The pools are made anew: the last ones were for the other address.
    return closeDb
  })

  it.each([
    ['POST /query', '/api/v1/query', { body: asked }],
    ['POST /query with a broken body', '/api/v1/query', { raw: '{' }],
    ['tools/list over MCP', '/api/v1/mcp', { body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } }],
    ['GET /key', '/api/v1/key', {}],
    ['GET /usage', '/api/v1/usage', {}],
    ['GET /usage/{requestId}', '/api/v1/usage/x', {}],
    ['GET /catalog with a key', '/api/v1/catalog', {}],
    ['GET /openapi.json with a key', '/api/v1/openapi.json', {}],
  ])('is returned for %s, with Retry-After, never as 401', async (_name, path, request) => {
    const answer = await send(path, { key: makeSecret(), ...request })
    expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
    expect(answer.headers.get('x-request-id')).toMatch(/\S/)
    expect(answer.body).not.toHaveProperty('service')
    expect(answer.text).not.toMatch(/127\.0\.0\.1|secret|ECONN|terminated|pg|prisma/i)
  })

  it.each([
    ['/api/v1/chat/completions', { model: 'x', messages: [{ role: 'user', content: 'x' }] }],
    ['/api/v1/responses', { model: 'x', input: 'x' }],
  ])('is returned by %s in the envelope of its wire', async (path, body) => {
    const answer = await send(path, { key: makeSecret(), body })
    expect(answer).toMatchObject({ status: 503, body: { error: { code: 'unavailable', type: 'server_error' } } })
    expect(Object.keys(answer.body)).toEqual(['error'])
    expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
  })

  it.each(['/api/v1/messages', '/api/v1/messages/count_tokens'])('is returned by %s in its envelope', async (path) => {
    const body = { model: 'x', max_tokens: 9, messages: [{ role: 'user', content: 'x' }] }
    const answer = await send(path, { key: makeSecret(), body })
    expect(answer).toMatchObject({
      status: 503,
      body: { type: 'error', error: { code: 'unavailable', type: 'api_error' }, request_id: expect.any(String) },
    })
    expect(answer.body).not.toHaveProperty('service')
    expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
  })

  it.each([
    ['/register', JSON.stringify({ redirect_uris: ['https://app.example/cb'] }), 'application/json'],
    ['/token', 'grant_type=authorization_code&code=x', 'application/x-www-form-urlencoded'],
    ['/revoke', 'token=x&client_id=x', 'application/x-www-form-urlencoded'],
  ])('is returned by %s as OAuth has it', async (path, raw, type) => {
    const answer = await send(path, { raw, headers: { 'content-type': type } })
    expect(answer).toMatchObject({ status: 503, body: { error: 'temporarily_unavailable' } })
    expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
    expect(answer.text).not.toMatch(/127\.0\.0\.1|secret|ECONN|terminated|pg|prisma/i)
  })

  it.each(MCP_REVISIONS)('is the result of a tools/call over MCP, with retryAfter (%s)', async (_era, ask) => {
    const call = { method: 'tools/call', params: { name: asked.tool, arguments: asked.params } }
    const answer = await ask(makeSecret(), call)
    expect(answer.status).toBe(200)
    expect(mcpFailureOf(answer)).toMatchObject({ code: 'unavailable', retryAfter: expect.any(Number) })
    expect(answer.body.result).not.toHaveProperty('service')
  })

  it('is not returned for a key with a bad checksum: that is 401 without asking the database', async () => {
    const secret = makeSecret()
    const wrong = secret.slice(0, -1) + (secret.endsWith('0') ? '1' : '0')
    for (const key of [wrong, 'x', undefined]) {
      expect(await send('/api/v1/query', { key, body: asked })).toMatchObject({
        status: 401,
        body: { code: 'unauthorized' },
      })
    }
  })

  it('is not returned where no database is needed', async () => {
    expect(await send('/healthz')).toMatchObject({ status: 200 })
    expect(await send('/api/v1/catalog')).toMatchObject({ status: 200 })
    expect(await send('/api/v1/openapi.json')).toMatchObject({ status: 200 })
    expect(await send('/api/v1/nope', { key: makeSecret() })).toMatchObject({ status: 404 })
    expect(await send('/api/v1/query', { key: makeSecret() })).toMatchObject({ status: 405 })
  })

  it('is returned by /readyz', async () => {
    const answer = await send('/readyz')
    expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
  })
})
