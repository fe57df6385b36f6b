import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, expect, it } from 'vitest'
import { IDLE_MS } from '../../server/kit/provider-agent'
import { type TestResponse, withSandbox } from '../support/api'
import { expectChatError, makeChatter, sendChat, sendStreamedChat } from '../support/chat'
import { sseEvent, streamChunk } from '../support/fake-upstream'
import { readOwnerMoney } from '../support/ledger'
import { answerTls, withTlsUpstream } from '../support/tls-upstream'

const upstream = withTlsUpstream()
withSandbox()

const body = (text = 'hi') => ({ model: 'upstream/one', max_tokens: 50, messages: [{ role: 'user', content: text }] })
const LONG = 'a long text '.repeat(10_000)
/** Of bodies that are sent in one piece, and in several. */
const REQUESTS = [
  ['whole, short', (key: string) => sendChat(key, body())],
  ['whole, long', (key: string) => sendChat(key, body(LONG))],
  ['streamed, short', (key: string) => sendStreamedChat(key, body())],
  ['streamed, long', (key: string) => sendStreamedChat(key, body(LONG))],
] as const

beforeEach(async () => {
  await upstream.closeAll()
  upstream.play(answerTls)
})

/** Opens the connection that later calls find. */
async function leaveConnection(): Promise<void> {
  const { key } = await makeChatter()
  expect((await sendChat(key.key, body())).status).toBe(200)
  expect(upstream.opened()).toBe(1)
}

/** Fails unless a call is 502 after so many requests, and not charged. */
async function expectFailure(ask: (key: string) => Promise<TestResponse>, requests: number): Promise<void> {
  const { owner, key } = await makeChatter()
  expectChatError(await ask(key.key), 502, 'upstream_error', 'upstream_error')
  expect(upstream.calls()).toBe(requests)
  expect(await readOwnerMoney(owner)).toMatchObject({ held: 0, holds: 0, charged: 0 })
}

it('a connection with TLS that was idle for longer than one without is used again', async () => {
  expect(IDLE_MS['https:']).toBeGreaterThan(IDLE_MS['http:'] + 500)
  await leaveConnection()
  await sleep(IDLE_MS['http:'] + 500)
  const { key } = await makeChatter()
  expect((await sendChat(key.key, body())).status).toBe(200)
  expect(upstream.opened()).toBe(1)
})

it.each(REQUESTS)(
  'a call on a connection that its provider has just given up is sent once more: %s',
  async (_name, ask) => {
    await leaveConnection()
    let isFirst = true
    upstream.play((exchange) => {
      if (isFirst) exchange.socket.end()
      else answerTls(exchange)
      isFirst = false
    })
    const { owner, key } = await makeChatter()
    expect((await ask(key.key)).status).toBe(200)
    expect([upstream.calls(), upstream.opened()]).toEqual([2, 1])
    expect(await readOwnerMoney(owner)).toMatchObject({ held: 0, holds: 0, receipts: 1 })
  },
)

it.each(REQUESTS)('and not again: %s', async (_name, ask) => {
  await leaveConnection()
  upstream.play(({ socket }) => socket.end())
  await expectFailure(ask, 2)
})

it.each(REQUESTS)('a call on a new connection that is closed is not sent again: %s', async (_name, ask) => {
  upstream.play(({ socket }) => socket.end())
  await expectFailure(ask, 1)
})

it.each(REQUESTS)('nor is one that its provider was at work on: %s', async (_name, ask) => {
  await leaveConnection()
  upstream.play(({ socket }) => void setTimeout(() => socket.end(), 1_100))
  await expectFailure(ask, 1)
})

it.each(REQUESTS)('nor is one whose answer had begun: %s', async (_name, ask) => {
  await leaveConnection()
  upstream.play(({ res, asked, socket }) => {
    if (asked.stream) res.writeHead(200, { 'content-type': 'text/event-stream' })
    else res.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 })
    res.write(asked.stream ? sseEvent(streamChunk({ content: 'half an answer' })) : '{')
    setTimeout(() => socket.end(), 100)
  })
  const { owner, key } = await makeChatter()
  const answer = await ask(key.key)
  expect(answer.text).toContain('"upstream_error"')
  expect(upstream.calls()).toBe(1)
  expect(await readOwnerMoney(owner)).toMatchObject({ held: 0, holds: 0, receipts: 1 })
})
