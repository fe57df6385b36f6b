import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client'
import { beforeAll, describe, expect, it } from 'vitest'
import { listMcpTools } from '../../server/catalog/mcp'
import { type McpOperations, makeMcpServer } from '../../server/http/mcp/server'
import { withSandbox } from '../support/api'
import { startCpuTimer } from '../support/cpu-time'
import { makeDataset } from '../support/dataset'
import { readOwnerMoney } from '../support/ledger'
import { sharedListener } from '../support/listener'
import { MCP_PATH, MCP_REVISIONS, type RpcMessage } from '../support/mcp'
import { makeCaller, makeKey } from '../support/owners'

withSandbox()

let url: URL
beforeAll(async () => {
  url = new URL(MCP_PATH, (await sharedListener()).url)
})

const somebody = async () => {
  const made = await makeCaller(1_000, { agent: true, agentRunBudgetCredits: 1_000 })
  await makeDataset(made.owner.id, 'homes', [{ city: 'Olbia' }, { city: 'Nuoro' }])
  return made
}

describe.each(MCP_REVISIONS)('in %s', (_era, ask) => {
  const resultOf = async (key: string, message: RpcMessage) => (await ask(key, message)).body.result as never
  const errorOf = async (key: string, message: RpcMessage) => (await ask(key, message)).body.error as { code: number }

  it('the catalog and the datasets of the owner are resources, and cost nothing', async () => {
    const { owner, key } = await somebody()
    expect(await resultOf(key.key, { method: 'resources/list' })).toMatchObject({
      resources: [
        { uri: 'tollgate://catalog', mimeType: 'text/markdown' },
        { uri: 'tollgate://datasets/homes', mimeType: 'text/csv', description: '2 rows of city' },
      ],
    })
    const read = (uri: string) => resultOf(key.key, { method: 'resources/read', params: { uri } })
    expect(await read('tollgate://datasets/homes')).toMatchObject({
      contents: [{ text: 'city\nOlbia\nNuoro\n' }],
    })
    expect(await read('tollgate://catalog')).toMatchObject({
      contents: [{ text: expect.stringMatching(/^# Tollgate/) }],
    })
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 0, receipts: 0 })
  })

  it('those of another owner, and of a key that may not read them, are not found', async () => {
    const { owner } = await somebody()
    const other = await makeCaller(1_000, { agent: true, agentRunBudgetCredits: 1_000 })
    const confined = await makeKey(owner, { agent: true, agentRunBudgetCredits: 1_000, capabilities: ['web'] })
    const plain = await makeKey(owner)
    for (const { key } of [other.key, confined, plain]) {
      const read = { method: 'resources/read', params: { uri: 'tollgate://datasets/homes' } }
      expect(await errorOf(key, read)).toMatchObject({
        code: -32602,
        message: expect.stringMatching(/no such resource/),
      })
      const listed = await resultOf(key, { method: 'resources/list' })
      expect((listed as { resources: unknown[] }).resources).toHaveLength(1)
    }
    expect(await errorOf(plain.key, { method: 'resources/read', params: { uri: 'file:///etc/passwd' } })).toMatchObject(
      {
        code: -32602,
      },
    )
  })

  it('each tool of the key is a prompt', async () => {
    const { owner } = await somebody()
    const key = await makeKey(owner, { tools: ['web_search', 'crypto_get_prices'] })
    const { prompts } = (await resultOf(key.key, { method: 'prompts/list' })) as { prompts: { name: string }[] }
    expect(prompts.map(({ name }) => name)).toEqual(['crypto_get_prices', 'web_search'])
    const get = (name: string) => ({ method: 'prompts/get', params: { name, arguments: { query: 'toll roads' } } })
    expect(await resultOf(key.key, get('web_search'))).toMatchObject({
      messages: [
        { role: 'user', content: { type: 'text', text: expect.stringMatching(/web_search.*\n- query: toll/) } },
      ],
    })
    expect(await errorOf(key.key, get('web_screenshot'))).toMatchObject({ code: -32602 })
  })

  it('arguments with choices are completed', async () => {
    const { key } = await somebody()
    const complete = async (ref: object, name: string, value: string) =>
      (
        (await resultOf(key.key, { method: 'completion/complete', params: { ref, argument: { name, value } } })) as {
          completion: { values: string[] }
        }
      ).completion.values
    const choices = listMcpTools(() => true).flatMap(({ name, inputSchema }) =>
      Object.entries(inputSchema.properties ?? {}).flatMap(([argument, schema]) =>
        typeof schema === 'object' && schema.enum ? [{ name, argument, values: schema.enum.map(String) }] : [],
      ),
    )
    expect(choices.length).toBeGreaterThan(5)
    for (const { name, argument, values } of choices) {
      expect(await complete({ type: 'ref/prompt', name }, argument, '')).toEqual(values)
      const [first = ''] = values
      expect(await complete({ type: 'ref/prompt', name }, argument, first.slice(0, 2))).toContain(first)
    }
    const template = { type: 'ref/resource', uri: 'tollgate://datasets/{name}' }
    expect(await complete(template, 'name', 'ho')).toEqual(['homes'])
    expect(await complete({ type: 'ref/prompt', name: 'web_search' }, 'query', 'x')).toEqual([])
  })
})

it('the SDK of 2026-07-28 reads them', async () => {
  const { key } = await somebody()
  const headers = { authorization: `Bearer ${key.key}` }
  const client = new ModernClient({ name: 'test', version: '1' })
  await client.connect(new ModernTransport(url, { requestInit: { headers } }))
  expect((await client.listResources()).resources).toHaveLength(2)
  expect((await client.listResourceTemplates()).resourceTemplates).toMatchObject([{ name: 'dataset' }])
  expect((await client.listPrompts()).prompts.length).toBeGreaterThan(20)
  await client.close()
})

it('200 tools are listed within 100 ms', async () => {
  const tools = listMcpTools(() => true)
  const many = Array.from({ length: 200 }, (_, i) => ({ ...tools[i % tools.length], name: `tool_${i}` }))
  const operations = { request: { requestId: 'x' }, list: async () => many } as unknown as McpOperations
  const listOnce = async () => {
    const cpuMs = startCpuTimer()
    const { promise, resolve } = Promise.withResolvers<string>()
    const server = makeMcpServer(operations)
    const transport = {
      start: async () => {},
      close: async () => {},
      send: async (sent: unknown) => resolve(JSON.stringify(sent)),
      onmessage: undefined as ((message: object, extra: object) => void) | undefined,
    }
    await server.connect(transport as never)
    transport.onmessage?.({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, { classification: { era: 'legacy' } })
    return { text: await promise, ms: cpuMs() }
  }
  const runs = []
  for (let i = 0; i < 5; i++) runs.push(await listOnce())
  for (const { text } of runs) expect(text).toContain('tool_199')
  // CPU time, because the machine may be busy; the fastest, because the first compiles.
  expect(Math.min(...runs.map(({ ms }) => ms))).toBeLessThan(100)
})
