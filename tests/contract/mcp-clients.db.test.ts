import { afterAll, describe, expect, it } from 'vitest'
import { availableTools } from '../../server/tools/registry'
import { closeChromium } from '../../server/tools/web/chromium'
import { withSandbox } from '../support/api'
import { readOwnerMoney } from '../support/ledger'
import { type CallResult, mcpUrl, recordedFetch } from '../support/mcp'
import { MCP_CLIENTS, newClient, oldClient } from '../support/mcp-clients'
import { makeCaller } from '../support/owners'
import { exampleOf } from '../support/tool'

withSandbox()
afterAll(closeChromium)

describe.each(MCP_CLIENTS)('%s', (_name, connect) => {
  it('lists for nothing, and finds its own schemas fulfilled by every tool it calls', async () => {
    const { owner, key } = await makeCaller(100_000)
    const client = await connect(key.key, recordedFetch().fetch)
    const { tools } = await client.listTools()
    expect(tools.map((t) => t.name)).toEqual(
      availableTools()
        .filter((t) => t.mcp !== false)
        .map((t) => t.id)
        .sort(),
    )
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 0, receipts: 0 })
    let charged = 0
    for (const { name } of tools) {
      // The client compares structuredContent with the tool's output schema, and throws where they
      // differ.
      const result = (await client.callTool({ name, arguments: exampleOf(name) })) as CallResult
      expect(result.isError, `${name}: ${result.content[0]?.text}`).toBeFalsy()
      expect(result.structuredContent).toBeTypeOf('object')
      charged += result.service?.credits_charged ?? Number.NaN
    }
    expect(await readOwnerMoney(owner)).toMatchObject({ charged, receipts: tools.length, held: 0 })
    await client.close()
  })

  it('gets a failure as a result, with its charge', async () => {
    const { key } = await makeCaller()
    const client = await connect(key.key, recordedFetch().fetch)
    await client.listTools()
    const call = { name: 'crypto_get_prices', arguments: { coinIds: ['sandbox-500'] } }
    expect(await client.callTool(call)).toMatchObject({ isError: true, service: { credits_charged: 3 } })
    await client.close()
  })

  it('fails to connect without a valid key', async () => {
    await expect(connect('x', recordedFetch().fetch)).rejects.toThrow(/401|unauthorized|not valid/i)
  })
})

it('two clients on one process never see each other’s ids, keys or answers, 100 calls interleaved', async () => {
  const callers = await Promise.all([makeCaller(1_000, { tools: ['crypto_get_prices'] }), makeCaller(1_000)])
  const connections = callers.map(() => recordedFetch())
  const coins = ['bitcoin', 'ethereum']
  const clients = await Promise.all([
    oldClient(callers[0]?.key.key ?? '', (connections[0] ?? recordedFetch()).fetch),
    newClient(callers[1]?.key.key ?? '', (connections[1] ?? recordedFetch()).fetch),
  ])
  const lists = await Promise.all(clients.map((c) => c.listTools()))
  expect(lists[0]?.tools.map((t) => t.name)).toEqual(['crypto_get_prices'])
  expect(lists[1]?.tools.length).toBeGreaterThan(1)

  const turns = Array.from({ length: 100 }, (_, i) => i % 2)
  const results = await Promise.all(
    turns.map((who) => {
      const call = { name: 'crypto_get_prices', arguments: { coinIds: [coins[who] ?? ''] } }
      return clients[who]?.callTool(call) as Promise<CallResult>
    }),
  )
  for (const [i, result] of results.entries())
    expect(result.structuredContent).toMatchObject({ rows: [{ coinId: coins[turns[i] ?? 0] }] })

  const requestIds = results.map((r) => r._meta?.['tollgate/request-id'])
  expect(new Set(requestIds).size).toBe(100)
  for (const [who, { seen }] of connections.entries()) {
    const asked = seen.filter(({ sent }) => sent.includes('"tools/call"'))
    expect(asked).toHaveLength(50)
    for (const { sent, answered } of asked) expect(JSON.parse(answered).id).toBe(JSON.parse(sent).id)
    const foreign = requestIds.filter((_, i) => turns[i] !== who)
    const everything = asked.map(({ answered }) => answered).join()
    for (const id of foreign) expect(everything).not.toContain(id)
  }
  for (const { owner } of callers)
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 150, receipts: 50, held: 0 })
  await Promise.all(clients.map((c) => c.close()))
})

it('the same JSON-RPC id in two requests at once gets two answers, to whom they belong', async () => {
  const [a, b] = [await makeCaller(), await makeCaller(0)]
  const ask = async (key: string) => {
    const { fetch } = recordedFetch()
    const response = await fetch(mcpUrl(), {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'crypto_get_prices', arguments: { coinIds: ['bitcoin'] } },
      }),
    })
    return (await response.json()) as { result: CallResult }
  }
  const answers = await Promise.all(Array.from({ length: 40 }, (_, i) => ask(i % 2 === 0 ? a.key.key : b.key.key)))
  for (const [i, { result }] of answers.entries()) expect(Boolean(result.isError)).toBe(i % 2 === 1)
  expect(await readOwnerMoney(a.owner)).toMatchObject({ charged: 60 })
  expect(await readOwnerMoney(b.owner)).toMatchObject({ charged: 0, receipts: 0 })
})
