import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withSandbox } from '../support/api'
import { CHAT_PATH, chargeIn, makeChatter, parseSse, sandboxUpstream, scriptedBody } from '../support/chat'
import { expireLeases, readOwnerMoney } from '../support/ledger'
import { MCP_PATH } from '../support/mcp'
import { pollUntil } from '../support/poll-until'
import { startWebProcess, type WebProcess } from '../support/web-process'

withSandbox()
let webs: WebProcess[] = []
beforeAll(async () => {
  webs = await Promise.all([startWebProcess(), startWebProcess(), startWebProcess()])
})
afterAll(async () => {
  await Promise.all(webs.map((web) => web.kill('SIGKILL')))
})
const webAt = (i: number) => webs[i % webs.length] as WebProcess

type Call = { path: string; body: object; headers?: Record<string, string> }

async function post(at: WebProcess, key: string, { path, body, headers }: Call) {
  const response = await fetch(at.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

const withKey = { 'idempotency-key': 'same' }
// Long enough for processes that answer for the first time.
const slow = { text: 'one two three four five six', chunks: 6, chunkDelayMs: 1_500 }
const stream: Call = { path: CHAT_PATH, body: scriptedBody(slow, { stream: true }), headers: withKey }
const tool = { name: 'crypto_get_prices', arguments: { coinIds: ['sandbox-slow'] } }
const mcp: Call = {
  path: MCP_PATH,
  body: {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { ...tool, _meta: { 'tollgate/idempotencyKey': 'same' } },
  },
}

describe('three processes', () => {
  it('replay a stream that another one sent, byte for byte, and answer 409 while it is in progress', async () => {
    const { owner, key } = await makeChatter()
    const sending = post(webAt(0), key.key, stream)
    await pollUntil('the call', async () => (await sandboxUpstream.calls()) === 1)
    const meanwhile = await Promise.all([0, 1, 2].map((i) => post(webAt(i), key.key, stream)))
    expect(meanwhile.map(({ status }) => status)).toEqual([409, 409, 409])
    const first = await sending
    expect(first.headers.has('idempotent-replayed')).toBe(false)
    for (const i of [1, 2, 0]) {
      const again = await post(webAt(i), key.key, stream)
      expect(again.headers.get('idempotent-replayed')).toBe('true')
      expect(again.text).toBe(first.text)
    }
    expect(await sandboxUpstream.calls()).toBe(1)
    const charged = chargeIn(parseSse(first.text))
    expect(await readOwnerMoney(owner)).toMatchObject({ charged, receipts: 1, held: 0, holds: 0 })
  })

  it('make one call of thirty streams with the same key at once', async () => {
    const { owner, key } = await makeChatter()
    const answers = await Promise.all(Array.from({ length: 30 }, (_, i) => post(webAt(i), key.key, stream)))
    const fresh = answers.filter(({ status, headers }) => status === 200 && !headers.has('idempotent-replayed'))
    expect(fresh).toHaveLength(1)
    for (const { status, text } of answers) {
      if (status === 200) expect(text).toBe(fresh[0]?.text)
      else expect(status).toBe(409)
    }
    expect(await sandboxUpstream.calls()).toBe(1)
    expect(await readOwnerMoney(owner)).toMatchObject({ receipts: 1, held: 0, holds: 0 })
  })

  it('do the same for a call over MCP', async () => {
    const { owner, key } = await makeChatter()
    const calling = post(webAt(0), key.key, mcp)
    await pollUntil('the hold', async () => (await readOwnerMoney(owner)).holds === 1)
    expect((await post(webAt(1), key.key, mcp)).text).toContain('\\"code\\":\\"conflict\\"')
    const resultIn = ({ text }: { text: string }) => JSON.parse(text).result
    const first = resultIn(await calling)
    const again = resultIn(await post(webAt(2), key.key, mcp))
    expect(again.structuredContent).toEqual(first.structuredContent)
    expect(again._meta).toMatchObject({ 'tollgate/idempotentReplayed': true })
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 3, receipts: 1, holds: 0 })
  })

  it('free the key of a stream whose process was killed, once its hold is void', async () => {
    const { owner, key } = await makeChatter()
    const dying = await startWebProcess()
    const sending = post(dying, key.key, stream).catch(() => 'cut')
    await pollUntil('the call', async () => (await sandboxUpstream.calls()) === 1)
    await dying.kill('SIGKILL')
    expect(await sending).toBe('cut')
    expect(await post(webAt(0), key.key, stream)).toMatchObject({ status: 409 })
    await expireLeases()
    // The living ones renew theirs, and one of them sweeps.
    await pollUntil('the sweep', async () => (await readOwnerMoney(owner)).holds === 0)
    const again = await post(webAt(1), key.key, stream)
    expect(again.status).toBe(200)
    expect(again.headers.has('idempotent-replayed')).toBe(false)
    const charged = chargeIn(parseSse(again.text))
    expect(await readOwnerMoney(owner)).toMatchObject({ charged, receipts: 2, held: 0 })
  })
})
