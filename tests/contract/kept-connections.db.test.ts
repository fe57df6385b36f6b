import { beforeEach, expect, it } from 'vitest'
import { env } from '../../server/env'
import { withSandbox } from '../support/api'
import { expectChatError, makeChatter, sendChat } from '../support/chat'
import { sseEvent, streamChunk } from '../support/fake-upstream'
import { readOwnerMoney } from '../support/ledger'
import { answerTls, TLS_REQUESTS, type TlsExchange, tlsBody, withTlsUpstream } from '../support/tls-upstream'

Object.assign(env(), { PROVIDER_HTTP2: 0 })
const upstream = withTlsUpstream()
withSandbox()

beforeEach(async () => {
  await upstream.closeAll()
  upstream.play(answerTls)
})

/** Opens the connection that later calls find. */
async function leaveConnection(): Promise<void> {
  const { key } = await makeChatter()
  expect((await sendChat(key.key, tlsBody())).status).toBe(200)
  expect(upstream.opened()).toBe(1)
}

it('with PROVIDER_HTTP2=0 calls share no connection at a time', async () => {
  const waiting: TlsExchange[] = []
  upstream.play((exchange) => {
    if (waiting.push(exchange) === TLS_REQUESTS.length) waiting.forEach(answerTls)
  })
  const { key } = await makeChatter()
  const answers = await Promise.all(TLS_REQUESTS.map(([, ask]) => ask(key.key)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(waiting.map(({ stream }) => stream)).toEqual([undefined, undefined, undefined, undefined])
  expect(upstream.opened()).toBe(4)
})

it.each(TLS_REQUESTS)(
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

it.each(TLS_REQUESTS)('and not again: %s', async (_name, ask) => {
  await leaveConnection()
  upstream.play(({ socket }) => socket.end())
  const { owner, key } = await makeChatter()
  expectChatError(await ask(key.key), 502, 'upstream_error', 'upstream_error')
  expect(upstream.calls()).toBe(2)
  expect(await readOwnerMoney(owner)).toMatchObject({ held: 0, holds: 0, charged: 0 })
})

it.each(TLS_REQUESTS)('a call on a new connection that is closed is not sent again: %s', async (_name, ask) => {
  upstream.play(({ socket }) => socket.end())
  const { owner, key } = await makeChatter()
  expectChatError(await ask(key.key), 502, 'upstream_error', 'upstream_error')
  expect(upstream.calls()).toBe(1)
  expect(await readOwnerMoney(owner)).toMatchObject({ held: 0, holds: 0, charged: 0 })
})

it.each(TLS_REQUESTS)('nor is one that its provider was at work on: %s', async (_name, ask) => {
  await leaveConnection()
  upstream.play(({ socket }) => void setTimeout(() => socket.end(), 1_100))
  const { owner, key } = await makeChatter()
  expectChatError(await ask(key.key), 502, 'upstream_error', 'upstream_error')
  expect(upstream.calls()).toBe(1)
  expect(await readOwnerMoney(owner)).toMatchObject({ held: 0, holds: 0, charged: 0 })
})

it.each(TLS_REQUESTS)('nor is one whose answer had begun: %s', async (_name, ask) => {
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
