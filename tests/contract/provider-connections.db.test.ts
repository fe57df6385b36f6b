import { constants } from 'node:http2'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { connectionTiming } from '../../server/kit/provider-agent'
import { withSandbox } from '../support/api'
import { chargeIn, expectChatError, makeChatter, sendChat, sendStreamedChat, textIn } from '../support/chat'
import { sseEvent, streamChunk } from '../support/fake-upstream'
import { readOwnerMoney } from '../support/ledger'
import { fetchFromListener } from '../support/listener'
import { pollUntil } from '../support/poll-until'
import {
  answerTls,
  resetStream,
  TLS_REQUESTS,
  type TlsExchange,
  tlsBody,
  withTlsUpstream,
} from '../support/tls-upstream'

const PINGS_MS = 150
Object.assign(connectionTiming, { pingMs: PINGS_MS })
const upstream = withTlsUpstream()
withSandbox()

const CHARGE = { held: 0, holds: 0 }

/** Opens the one connection that the calls of a test share. */
beforeEach(async () => {
  await upstream.closeAll()
  upstream.play(answerTls)
  const { key } = await makeChatter()
  expect((await sendChat(key.key, tlsBody())).status).toBe(200)
  expect(upstream.opened()).toBe(1)
  upstream.play(answerTls)
})

/** Holds calls up until there are so many, and then does something with them all. */
function whenTogether(count: number, then: (calls: TlsExchange[]) => void): void {
  const waiting: TlsExchange[] = []
  upstream.play((exchange) => {
    if (waiting.push(exchange) === count) then(waiting)
  })
}

describe('calls to a provider that speaks HTTP/2', () => {
  it.each(TLS_REQUESTS)('share a connection, %s, and each is charged once', async (_name, ask) => {
    whenTogether(40, (calls) => calls.map(answerTls))
    const { owner, key } = await makeChatter()
    const answers = await Promise.all(Array.from({ length: 40 }, () => ask(key.key)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect([upstream.calls(), upstream.opened()]).toEqual([40, 0])
    expect(await readOwnerMoney(owner)).toMatchObject({ ...CHARGE, receipts: 40 })
  })

  it('open another connection where one has 100', async () => {
    whenTogether(130, (calls) => calls.map(answerTls))
    const { owner, key } = await makeChatter()
    const answers = await Promise.all(Array.from({ length: 130 }, () => sendChat(key.key, tlsBody())))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect([upstream.calls(), upstream.opened()]).toEqual([130, 1])
    expect(await readOwnerMoney(owner)).toMatchObject({ ...CHARGE, receipts: 130 })
  })

  it.each(TLS_REQUESTS)('are sent once more where one is refused: %s', async (_name, ask) => {
    let isFirst = true
    upstream.play((exchange) => {
      if (isFirst) exchange.stream?.close(constants.NGHTTP2_REFUSED_STREAM)
      else answerTls(exchange)
      isFirst = false
    })
    const { owner, key } = await makeChatter()
    expect((await ask(key.key)).status).toBe(200)
    expect(upstream.calls()).toBe(2)
    expect(await readOwnerMoney(owner)).toMatchObject({ ...CHARGE, receipts: 1 })
  })

  it.each(TLS_REQUESTS)('are sent over a new one where a connection closes before them: %s', async (_name, ask) => {
    let isFirst = true
    upstream.play((exchange) => {
      // The last that it took is the one of `beforeEach`.
      if (isFirst) exchange.stream?.session?.goaway(constants.NGHTTP2_NO_ERROR, 1)
      else answerTls(exchange)
      isFirst = false
    })
    const { owner, key } = await makeChatter()
    expect((await ask(key.key)).status).toBe(200)
    expect([upstream.calls(), upstream.opened()]).toEqual([2, 1])
    expect(await readOwnerMoney(owner)).toMatchObject({ ...CHARGE, receipts: 1 })
  })

  it.each(TLS_REQUESTS)(
    'are 502 where the provider refuses each time, and nothing is charged: %s',
    async (_name, ask) => {
      upstream.play(({ stream }) => stream?.close(constants.NGHTTP2_REFUSED_STREAM))
      const { owner, key } = await makeChatter()
      expectChatError(await ask(key.key), 502, 'upstream_error', 'upstream_error')
      expect(upstream.calls()).toBeLessThanOrEqual(4)
      expect(await readOwnerMoney(owner)).toMatchObject({ ...CHARGE, charged: 0 })
    },
  )

  it('end well where the provider closes the connection after them; the next opens one', async () => {
    whenTogether(3, ([first, ...others]) => {
      first?.stream?.session?.close()
      setTimeout(() => [first as TlsExchange, ...others].map(answerTls), 100)
    })
    const { owner, key } = await makeChatter()
    const answers = await Promise.all(TLS_REQUESTS.slice(0, 3).map(([, ask]) => ask(key.key)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    upstream.play(answerTls)
    expect((await sendChat(key.key, tlsBody())).status).toBe(200)
    expect(upstream.opened()).toBe(1)
    expect(await readOwnerMoney(owner)).toMatchObject({ ...CHARGE, receipts: 4 })
  })

  it.each([
    ['is cut', ({ socket }: TlsExchange) => socket.destroy()],
    ['is ended', ({ socket }: TlsExchange) => socket.end()],
    [
      'fails',
      ({ stream }: TlsExchange) => stream?.session?.destroy(new Error('broken'), constants.NGHTTP2_INTERNAL_ERROR),
    ],
  ])('are 502 where the connection %s under them, asked once each, and not charged', async (_how, breakIt) => {
    whenTogether(6, ([first]) => breakIt(first as TlsExchange))
    const { owner, key } = await makeChatter()
    const asks = [...TLS_REQUESTS, ...TLS_REQUESTS.slice(0, 2)]
    const answers = await Promise.all(asks.map(([, ask]) => ask(key.key)))
    for (const answer of answers) expectChatError(answer, 502, 'upstream_error', 'upstream_error')
    expect(upstream.calls()).toBe(6)
    expect(await readOwnerMoney(owner)).toMatchObject({ ...CHARGE, charged: 0 })
    upstream.play(answerTls)
    expect((await sendChat(key.key, tlsBody())).status).toBe(200)
  })

  it('fail alone where the provider resets one of them', async () => {
    whenTogether(4, ([first, ...others]) => {
      first?.stream?.close(constants.NGHTTP2_INTERNAL_ERROR)
      others.map(answerTls)
    })
    const { owner, key } = await makeChatter()
    const answers = await Promise.all(TLS_REQUESTS.map(([, ask]) => ask(key.key)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 502])
    expect([upstream.calls(), upstream.opened()]).toEqual([4, 0])
    expect(await readOwnerMoney(owner)).toMatchObject({ ...CHARGE, receipts: 4 })
  })

  it.each([
    ['the stream is reset', ({ stream }: TlsExchange) => resetStream(stream, constants.NGHTTP2_INTERNAL_ERROR)],
    ['the stream is cancelled', ({ stream }: TlsExchange) => resetStream(stream, constants.NGHTTP2_CANCEL)],
    ['the connection is cut', ({ socket }: TlsExchange) => socket.destroy()],
  ])('are charged for what came where %s within an answer', async (_what, breakIt) => {
    upstream.play((exchange) => {
      const { res } = exchange
      res.writeHead(200, { 'content-type': 'text/event-stream' })
      res.write(sseEvent(streamChunk({ content: 'half an answer' })))
      setTimeout(() => breakIt(exchange), 100)
    })
    const { owner, key } = await makeChatter()
    const answer = await sendStreamedChat(key.key, tlsBody())
    expect(textIn(answer.chunks)).toBe('half an answer')
    expect(answer.events.some(({ data }) => data !== null && typeof data === 'object' && 'error' in data)).toBe(true)
    const charged = chargeIn(answer)
    expect(charged).toBeGreaterThan(0)
    expect(await readOwnerMoney(owner)).toMatchObject({ ...CHARGE, charged })
  })

  it('do not join a connection that has gone silent, and those in it fail', async () => {
    whenTogether(3, upstream.freeze)
    const { owner, key } = await makeChatter()
    const answers = await Promise.all(TLS_REQUESTS.slice(0, 3).map(([, ask]) => ask(key.key)))
    for (const answer of answers) expectChatError(answer, 502, 'upstream_error', 'upstream_error')
    upstream.play(answerTls)
    expect((await sendChat(key.key, tlsBody())).status).toBe(200)
    expect([upstream.calls(), upstream.opened()]).toEqual([1, 1])
    expect(await readOwnerMoney(owner)).toMatchObject({ ...CHARGE, receipts: 4 })
  })

  it('wait for a provider that thinks for long, whose connection answers pings', async () => {
    upstream.play((exchange) => void setTimeout(() => answerTls(exchange), 10 * PINGS_MS))
    const { key } = await makeChatter()
    const answers = await Promise.all(TLS_REQUESTS.map(([, ask]) => ask(key.key)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect([upstream.calls(), upstream.opened()]).toEqual([4, 0])
  })

  it('are cancelled alone when their client leaves', async () => {
    let left: TlsExchange | undefined
    whenTogether(2, (calls) => {
      left = calls.find(({ asked }) => JSON.stringify(asked).includes('who leaves'))
      for (const { res } of calls) {
        res.writeHead(200, { 'content-type': 'text/event-stream' })
        res.write(sseEvent(streamChunk({ content: 'hello' })))
      }
      const stays = calls.find((call) => call !== left)
      // The other one ends once this one was cancelled.
      left?.stream?.once('close', () => stays?.res.end(`${sseEvent(streamChunk({}, 'stop'))}${sseEvent('[DONE]')}`))
    })
    const { owner, key } = await makeChatter()
    const staying = sendStreamedChat(key.key, tlsBody())
    const client = new AbortController()
    const leaving = await fetchFromListener('http://localhost/api/v1/chat/completions', {
      method: 'POST',
      headers: { authorization: `Bearer ${key.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...tlsBody('who leaves'), stream: true }),
      signal: client.signal,
    })
    await leaving.body?.getReader().read()
    client.abort()
    expect(textIn((await staying).chunks)).toBe('hello')
    expect(upstream.opened()).toBe(0)
    await pollUntil('both receipts', async () => (await readOwnerMoney(owner)).receipts === 2)
    expect(await readOwnerMoney(owner)).toMatchObject(CHARGE)
  })

  it('carry bodies that are larger than its windows, in both directions', async () => {
    const text = 'x'.repeat(3_000_000)
    upstream.play(({ asked, res }) => {
      const said = (asked.messages as { content: string }[])[0]?.content ?? ''
      const choices = [{ index: 0, message: { role: 'assistant', content: said }, finish_reason: 'stop' }]
      res.writeHead(200, { 'content-type': 'application/json' })
      res.end(JSON.stringify({ id: 'v1', object: 'chat.completion', model: 'upstream-name', choices }))
    })
    const { key } = await makeChatter(100_000_000)
    const answer = await sendChat(key.key, tlsBody(text))
    expect(answer.status).toBe(200)
    expect(answer.text.length).toBeGreaterThan(text.length)
  })
})

it('keeps an idle connection with TLS longer than one without', async () => {
  expect(connectionTiming.idleTlsMs).toBeGreaterThan(connectionTiming.idleMs)
  await sleep(connectionTiming.idleMs + 500)
  const { key } = await makeChatter()
  expect((await sendChat(key.key, tlsBody())).status).toBe(200)
  expect(upstream.opened()).toBe(0)
})
