import { afterEach, describe, expect, it } from 'vitest'
import { mainPool } from '../../server/db'
import { env } from '../../server/env'
import { revokeKey } from '../../server/keys/revoke'
import { makeSecret } from '../../server/keys/secret'
import { availableTools, findTool } from '../../server/tools/registry'
import { send, withSandbox } from '../support/api'
import { expectUntouched } from '../support/ledger'
import { MCP_PATH, MCP_REVISIONS, mcpFailureOf, type RpcMessage, sendRpc, sendStatelessRpc } from '../support/mcp'
import { makeCaller } from '../support/owners'

const sandbox = withSandbox()
const MIB = 1024 * 1024
const call = { method: 'tools/call', params: { name: 'crypto_get_prices', arguments: { coinIds: ['bitcoin'] } } }
const list = { method: 'tools/list' }
const hello = (protocolVersion: string): RpcMessage => ({
  id: 0,
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } },
})
const countOf = async (keyId: number) =>
  (await mainPool().query<{ count: number }>('SELECT count FROM rate_window WHERE id = $1', [`key:${keyId}`])).rows[0]
    ?.count ?? 0

describe('HTTP', () => {
  it.each(['GET', 'DELETE', 'PUT', 'PATCH', 'OPTIONS'])('405 with Allow: POST is answered to %s', async (method) => {
    const { key } = await makeCaller()
    const answer = await send(MCP_PATH, { method, key: key.key, headers: { accept: 'text/event-stream' } })
    expect(answer).toMatchObject({
      status: 405,
      body: { code: 'method_not_allowed', error: expect.stringContaining('2024-11-05') },
    })
    expect(answer.headers.get('allow')).toBe('POST')
    expect(await countOf(key.id)).toBe(0)
  })

  describe.each(MCP_REVISIONS)('in %s', (_era, ask) => {
    it.each([
      ['without a key', undefined],
      ['with a key that is not ours', makeSecret()],
      ['with something else', 'x'],
    ])('401 with WWW-Authenticate is answered %s, to every method', async (_name, secret) => {
      for (const message of [call, list, hello('2025-11-25')]) {
        const answer = await ask(secret ?? '', message, secret ? {} : { headers: { authorization: '' } })
        expect(answer).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
        expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer\b/)
        expect(answer.text).not.toContain('service')
      }
      expect(await sandbox.calls()).toBe(0)
    })

    it('401 is answered to a revoked key', async () => {
      const { owner, key } = await makeCaller()
      expect(await ask(key.key, list)).toMatchObject({ status: 200 })
      await revokeKey(owner.id, key.id)
      for (const message of [call, list]) expect(await ask(key.key, message)).toMatchObject({ status: 401 })
      await expectUntouched(owner)
    })

    it.each([
      ['another site’s Origin', { origin: 'http://evil.example' }],
      ['a name that leads here', { origin: 'http://evil.example', host: 'evil.example' }],
      ['another port of this machine', { origin: 'http://localhost:9', host: 'localhost:3000' }],
      ['Origin null', { origin: 'null' }],
      ['an invalid Origin', { origin: 'here' }],
    ])('403 is answered to %s', async (_name, headers) => {
      const { owner, key } = await makeCaller()
      for (const message of [call, list])
        expect(await ask(key.key, message, { headers })).toMatchObject({ status: 403, body: { code: 'forbidden' } })
      expect(await countOf(key.id)).toBe(0)
      await expectUntouched(owner)
    })

    it.each([
      ['the public address’s', () => ({ origin: new URL(env().PUBLIC_URL).origin })],
      ['this machine’s own', () => ({ origin: 'http://127.0.0.1:3000', host: '127.0.0.1:3000' })],
    ])('a request with %s Origin is served', async (_name, headersOf) => {
      const { key } = await makeCaller()
      expect(await ask(key.key, list, { headers: headersOf() })).toMatchObject({ status: 200 })
    })

    it('415 is answered to another content type, 413 beyond 1 MiB, and both count', async () => {
      const { owner, key } = await makeCaller()
      const wrongType = await ask(key.key, call, { headers: { 'content-type': 'text/plain' } })
      expect(wrongType).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } })
      const params = { name: 'crypto_get_prices', arguments: { coinIds: ['x'.repeat(MIB)] } }
      const tooLarge = await ask(key.key, { method: 'tools/call', params })
      expect(tooLarge).toMatchObject({ status: 413, body: { code: 'payload_too_large' } })
      expect(await countOf(key.id)).toBe(2)
      await expectUntouched(owner)
    })

    it('every answer bears a request id and the rate window, and counts once', async () => {
      const { key } = await makeCaller(1_000, { rpm: 50 })
      const answers = [await ask(key.key, list), await ask(key.key, call), await ask(key.key, { method: 'nope' })]
      for (const [i, { headers }] of answers.entries()) {
        expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
        expect(headers.get('x-ratelimit-limit-requests')).toBe('50')
        expect(headers.get('x-ratelimit-remaining-requests')).toBe(String(49 - i))
        expect(headers.get('cache-control')).toBe('no-store')
        expect(headers.get('content-type')).toMatch(/^application\/json/)
        expect(headers.has('mcp-session-id')).toBe(false)
      }
      expect(await countOf(key.id)).toBe(3)
    })

    it('429 is answered to other methods than tools/call; a tools/call says it in its result', async () => {
      const { owner, key } = await makeCaller(1_000, { rpm: 1 })
      await ask(key.key, list)
      for (const message of [list, { method: 'nope' }, hello('2025-11-25')]) {
        const answer = await ask(key.key, message)
        expect(answer).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
        expect(answer.headers.get('retry-after')).toMatch(/^([1-9]|[1-5]\d|60)$/)
      }
      const answer = await ask(key.key, call)
      expect(answer.status).toBe(200)
      expect(mcpFailureOf(answer)).toEqual({
        error: expect.stringMatching(/\b1 requests a minute/),
        code: 'rate_limited',
        reason: 'rate_limited',
        retryable: true,
        retryAfter: expect.any(Number),
      })
      expect(answer.body.result).not.toHaveProperty('service')
      expect(await countOf(key.id)).toBe(1)
      await expectUntouched(owner)
    })

    it('429 comes before 415, 413 and bad JSON', async () => {
      const { key } = await makeCaller(1_000, { rpm: 1 })
      await ask(key.key, list)
      expect(await send(MCP_PATH, { key: key.key, raw: '{' })).toMatchObject({ status: 429 })
      expect(await send(MCP_PATH, { key: key.key, raw: 'x'.repeat(2 * MIB) })).toMatchObject({ status: 429 })
      expect(await send(MCP_PATH, { key: key.key, raw: 'x', headers: { 'content-type': 'text/plain' } })).toMatchObject(
        {
          status: 429,
        },
      )
    })
  })

  it.each(['{', '', '{"jsonrpc":"2.0"', '\xff'])('400 with a parse error is answered to the body %j', async (raw) => {
    const { key } = await makeCaller()
    const answer = await send(MCP_PATH, {
      key: key.key,
      raw,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
    })
    expect(answer).toMatchObject({ status: 400, body: { jsonrpc: '2.0', id: null, error: { code: -32700 } } })
    expect(await countOf(key.id)).toBe(1)
  })

  it.each([[{}], [[]], ['x'], [5], [null], [{ jsonrpc: '1.0', id: 1, method: 'ping' }], [[{ id: 1 }]]])(
    '400 is answered to the message %j',
    async (body) => {
      const { key } = await makeCaller()
      const answer = await send(MCP_PATH, { key: key.key, body })
      expect(answer).toMatchObject({ status: 400, body: { error: { code: -32600 } } })
    },
  )
})

describe('the 2025 revisions', () => {
  it.each(['2025-11-25', '2025-06-18', '2025-03-26'])('initialize agrees on %s', async (version) => {
    const { key } = await makeCaller()
    const { status, body } = await sendRpc(key.key, hello(version))
    expect(status).toBe(200)
    expect(body).toMatchObject({
      id: 0,
      result: {
        protocolVersion: version,
        capabilities: { tools: {}, prompts: {}, resources: {}, completions: {} },
        serverInfo: { name: 'tollgate' },
      },
    })
    expect(
      await sendRpc(key.key, { id: 1, method: 'ping' }, { headers: { 'mcp-protocol-version': version } }),
    ).toMatchObject({ status: 200, body: { id: 1, result: {} } })
  })

  it.each(['2024-10-07', '2099-01-01', 'x'])('initialize offers the newest to one who speaks %s', async (version) => {
    const { key } = await makeCaller()
    const { body } = await sendRpc(key.key, hello(version))
    expect(body.result).toMatchObject({ protocolVersion: '2025-11-25' })
  })

  it('400 is answered to a MCP-Protocol-Version nobody speaks', async () => {
    const { owner, key } = await makeCaller()
    const answer = await sendRpc(key.key, { id: 1, ...call }, { headers: { 'mcp-protocol-version': '1999-01-01' } })
    expect(answer).toMatchObject({ status: 400, body: { error: { message: expect.stringContaining('2025-11-25') } } })
    await expectUntouched(owner)
  })

  it('notifications and responses are taken with 202 and no body', async () => {
    const { key } = await makeCaller()
    for (const message of [
      { method: 'notifications/initialized' },
      { method: 'notifications/cancelled', params: { requestId: 1 } },
    ])
      expect(await sendRpc(key.key, message)).toMatchObject({ status: 202, text: '' })
    expect(await send(MCP_PATH, { key: key.key, body: { jsonrpc: '2.0', id: 7, result: {} } })).toMatchObject({
      status: 202,
    })
  })

  it('a tools/call without an id is a notification: it runs nothing', async () => {
    const { owner, key } = await makeCaller()
    expect(await sendRpc(key.key, call)).toMatchObject({ status: 202 })
    expect(await sandbox.calls()).toBe(0)
    await expectUntouched(owner)
  })

  it('an unknown method is -32601, with the id it came with', async () => {
    const { key } = await makeCaller()
    for (const method of ['nope', 'resources/subscribe', 'server/discover', 'logging/setLevel'])
      expect(await sendRpc(key.key, { id: 'a', method })).toMatchObject({
        status: 200,
        body: { id: 'a', error: { code: -32601 } },
      })
  })

  it('Accept need not name both kinds of answers', async () => {
    const { key } = await makeCaller()
    for (const accept of ['application/json', '*/*'])
      expect(await sendRpc(key.key, { id: 1, ...list }, { headers: { accept } })).toMatchObject({ status: 200 })
  })
})

describe('revision 2026-07-28', () => {
  it('server/discover returns the revision, the capabilities and their lifetime, and costs nothing', async () => {
    const { owner, key } = await makeCaller()
    const { status, body } = await sendStatelessRpc(key.key, { method: 'server/discover' })
    expect(status).toBe(200)
    expect(body.result).toMatchObject({
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {}, prompts: {}, resources: {}, completions: {} },
      ttlMs: expect.any(Number),
      cacheScope: 'private',
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'tollgate' } },
    })
    await expectUntouched(owner)
  })

  it.each([
    ['Mcp-Method', { 'mcp-method': '' }],
    ['Mcp-Name', { 'mcp-name': 'web_search' }],
    ['MCP-Protocol-Version', { 'mcp-protocol-version': '2025-11-25' }],
  ])('400 with -32020 is answered where %s and body differ, and nothing runs', async (_name, headers) => {
    const { owner, key } = await makeCaller()
    const answer = await sendStatelessRpc(key.key, call, { headers: headers as Record<string, string> })
    expect(answer).toMatchObject({ status: 400, body: { id: 1, error: { code: -32020 } } })
    expect(await sandbox.calls()).toBe(0)
    await expectUntouched(owner)
  })

  it('a call is the same whether its name is in the header as it is or encoded', async () => {
    const { key } = await makeCaller()
    const encoded = `=?base64?${Buffer.from(call.params.name).toString('base64')}?=`
    const askWith = async (headers?: Record<string, string>) => {
      const { status, text, headers: sent } = await sendStatelessRpc(key.key, call, { headers })
      const id = sent.get('x-request-id') ?? expect.unreachable()
      expect(text).toContain(id)
      // Prices and times change.
      const words = text.replaceAll(id, 'id').replace(/\d+/g, '0')
      return { status, words, type: sent.get('content-type')?.split(';')[0], names: [...sent.keys()] }
    }
    const plain = await askWith()
    expect(plain).toMatchObject({ status: 200, words: expect.stringContaining('"service":{"credits_charged":0}') })
    expect(await askWith({ 'mcp-name': encoded })).toEqual(plain)
  })

  it('400 is answered to a revision nobody speaks, with those that are spoken', async () => {
    const { key } = await makeCaller()
    const answer = await sendRpc(
      key.key,
      {
        id: 1,
        method: 'tools/list',
        params: {
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2099-01-01',
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        },
      },
      { headers: { 'mcp-protocol-version': '2099-01-01', 'mcp-method': 'tools/list' } },
    )
    expect(answer).toMatchObject({ status: 400, body: { id: 1, error: { data: { supported: ['2026-07-28'] } } } })
  })

  it('404 with -32601 is answered to a method this revision lacks', async () => {
    const { key } = await makeCaller()
    for (const method of ['nope', 'ping', 'initialize'])
      expect(await sendStatelessRpc(key.key, { method })).toMatchObject({
        status: 404,
        body: { error: { code: -32601 } },
      })
  })

  it('subscriptions/listen is acknowledged and ends: nothing here changes while it is watched', async () => {
    const { key } = await makeCaller()
    const answer = await sendStatelessRpc(key.key, {
      method: 'subscriptions/listen',
      params: { notifications: { toolsListChanged: true } },
    })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toMatch(/^text\/event-stream/)
    expect(answer.text).toContain('"resultType":"complete"')
  })

  it('batches are refused', async () => {
    const { owner, key } = await makeCaller()
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const answer = await sendRpc(key.key, [{ id: 1, ...call, params: { ...call.params, _meta } }])
    expect(answer).toMatchObject({ status: 400, body: { error: { code: -32600 } } })
    await expectUntouched(owner)
  })
})

describe.each(MCP_REVISIONS)('tools/list in %s', (_era, ask) => {
  type Listed = {
    name: string
    title: string
    description: string
    annotations: object
    inputSchema: object
    outputSchema: object
  }
  const toolsOf = async (key: string) => ((await ask(key, list)).body.result as { tools: Listed[] }).tools
  const every = availableTools().map(({ id }) => id)

  it('has every tool of the key by name, with title, price, annotations and both schemas', async () => {
    const { owner, key } = await makeCaller()
    const tools = await toolsOf(key.key)
    expect(tools.map((t) => t.name)).toEqual(every.filter((id) => id !== 'video_generate').sort())
    for (const tool of tools) {
      const { annotations, label } = findTool(tool.name) ?? expect.unreachable()
      expect(tool).toMatchObject({
        title: label,
        description: expect.stringMatching(/Price: (metered|\d+ credits? a call)/),
        annotations: {
          title: label,
          readOnlyHint: annotations.readOnly,
          idempotentHint: annotations.idempotent,
          openWorldHint: annotations.openWorld,
          destructiveHint: false,
        },
        inputSchema: { type: 'object', additionalProperties: false },
        outputSchema: { type: 'object' },
      })
      expect(JSON.stringify(tool)).not.toContain('$schema')
    }
    await expectUntouched(owner)
  })

  it('is the same bytes every time, and for every key of the same grants', async () => {
    const [a, b] = [await makeCaller(), await makeCaller(0)]
    const texts = [await ask(a.key.key, list), await ask(a.key.key, list), await ask(b.key.key, list)].map(
      (x) => x.text,
    )
    expect(new Set(texts).size).toBe(1)
  })

  it('has only what the key may call', async () => {
    const { key } = await makeCaller(1_000, { tools: ['web_search', 'crypto_get_prices'] })
    expect((await toolsOf(key.key)).map((t) => t.name)).toEqual(['crypto_get_prices', 'web_search'])
    const none = await makeCaller(1_000, { tools: [] })
    expect(await toolsOf(none.key.key)).toEqual([])
  })

  describe('a tool that takes longer than an MCP call', () => {
    const tool = findTool('crypto_get_prices')
    afterEach(() => Object.assign(tool ?? {}, { mcp: undefined }))

    it('is absent, and called all the same says where to call it, for nothing', async () => {
      Object.assign(tool ?? {}, { mcp: false })
      const { owner, key } = await makeCaller()
      expect((await toolsOf(key.key)).map((t) => t.name)).not.toContain('crypto_get_prices')
      const answer = await ask(key.key, call)
      expect(mcpFailureOf(answer)).toEqual({
        code: 'unknown_tool',
        reason: 'not_found',
        retryable: false,
        error: expect.stringContaining('/api/v1/query'),
      })
      await expectUntouched(owner)
    })
  })
})

describe('a batch, which revision 2025-03-26 has', () => {
  const version = { headers: { 'mcp-protocol-version': '2025-03-26' } }

  it('is answered request by request, each counted, charged and receipted by itself', async () => {
    const { key } = await makeCaller(7)
    const calls = [1, 1, 'x'].map((id) => ({ id, ...call }))
    const answer = await sendRpc(
      key.key,
      [...calls, { method: 'notifications/initialized' }, { id: 9, ...list }],
      version,
    )
    expect(answer.status).toBe(200)
    const answers = answer.body as unknown as { id: unknown; result: Record<string, unknown> }[]
    expect(answers.map((a) => a.id)).toEqual([1, 1, 'x', 9])
    expect(answers.filter((a) => a.result.service)).toHaveLength(2)
    expect(answers.filter((a) => a.result.isError)).toHaveLength(1)
    const { body } = await send('/api/v1/usage', { key: key.key })
    expect(body.rows).toHaveLength(2)
    expect(await countOf(key.id)).toBe(5)
  })

  it('may not outrun the minute of its key', async () => {
    const { key } = await makeCaller(1_000, { rpm: 3 })
    const batch = [call, call, call, call, { method: 'ping' }].map((m, id) => ({ id, ...m }))
    const answers = (await sendRpc(key.key, batch)).body as unknown as {
      id: number
      result?: { isError?: boolean }
      error?: unknown
    }[]
    expect(answers.filter((a) => a.error === undefined && !a.result?.isError)).toHaveLength(3)
    expect(await countOf(key.id)).toBe(3)
  })

  it('of notifications is taken with 202', async () => {
    const { key } = await makeCaller()
    expect(await sendRpc(key.key, [{ method: 'notifications/initialized' }])).toMatchObject({ status: 202, text: '' })
  })

  it.each([
    ['in a later revision', [{ id: 1, ...call }], '2025-06-18'],
    ['with initialize in it', [hello('2025-03-26')], '2025-03-26'],
    ['of more than 50', Array.from({ length: 51 }, (_, id) => ({ id, ...call })), '2025-03-26'],
  ])('%s is refused whole', async (_name, batch, revision) => {
    const { owner, key } = await makeCaller()
    const answer = await sendRpc(key.key, batch, { headers: { 'mcp-protocol-version': revision } })
    expect(answer).toMatchObject({ status: 400, body: { error: { code: -32600 } } })
    await expectUntouched(owner)
  })

  it('is 429 over HTTP when its key’s minute is used up and it calls no tool', async () => {
    const { key } = await makeCaller(1_000, { rpm: 1 })
    await sendRpc(key.key, { id: 1, ...list })
    expect(await sendRpc(key.key, [{ id: 1, ...list }])).toMatchObject({ status: 429 })
    const mixed = await sendRpc(key.key, [
      { id: 1, ...list },
      { id: 2, ...call },
    ])
    expect(mixed).toMatchObject({
      status: 200,
      body: [{ error: { data: { code: 'rate_limited' } } }, { result: { isError: true } }],
    })
  })
})
