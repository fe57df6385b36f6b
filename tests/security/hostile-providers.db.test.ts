import type { ServerResponse } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { UPSTREAM_TIMEOUTS } from '../../server/models/upstream/call'
import { withSandbox } from '../support/api'
import { chargeIn, makeChatter, receiptOf, scriptedBody, sendChat, sendStreamedChat, textIn } from '../support/chat'
import { sseEvent, streamChunk, type UpstreamHandler, withFakeUpstream } from '../support/fake-upstream'
import { readOwnerMoney } from '../support/ledger'

const upstream = withFakeUpstream()
withSandbox()

const { idleMs } = UPSTREAM_TIMEOUTS
afterEach(() => {
  UPSTREAM_TIMEOUTS.idleMs = idleMs
})

const SSE = { 'content-type': 'text/event-stream' }
const alone = (more: object = {}) => scriptedBody({}, { model: 'upstream/one', max_tokens: 50, ...more })
const withSecond = (more: object = {}) =>
  scriptedBody({ text: 'second' }, { model: 'upstream/two', max_tokens: 50, ...more })

const answerWith = (content: string): string =>
  `{"id":"x","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":${content}},"finish_reason":"stop"}]}`
const chunkWith = (content: string): string =>
  `{"id":"x","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":${content}},"finish_reason":null}]}`

const DEEP = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
const WIDE = `[${'[],'.repeat(2_000_000)}[]]`
const BODIES = [
  ['2,000,000 lists', answerWith(WIDE)],
  ['100,000 levels in a message', answerWith(DEEP)],
  ['100,000 levels of objects', answerWith(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`)],
  ['nothing but 100,000 levels', DEEP],
] as const

const wholeAnswer =
  (text: string): UpstreamHandler =>
  (_req, res) =>
    void res.writeHead(200, { 'content-type': 'application/json' }).end(text)

describe('an answer that a provider made to cost much', () => {
  it.each(BODIES)('of %s is a 502 without a charge', async (_name, text) => {
    upstream.play(wholeAnswer(text))
    const { owner, key } = await makeChatter(1_000)
    const { status, body } = await sendChat(key.key, alone())
    expect({ status, body }).toMatchObject({ status: 502, body: { error: { code: 'upstream_error' } } })
    expect(await readOwnerMoney(owner)).toMatchObject({ available: 1_000, held: 0 })
  })

  it.each(BODIES)('of %s lets the next upstream serve', async (_name, text) => {
    upstream.play(wholeAnswer(text))
    const { key } = await makeChatter()
    expect(await sendChat(key.key, withSecond())).toMatchObject({ status: 200 })
    expect(upstream.calls()).toBe(1)
  })

  it.each([
    ['2,000,000 lists', chunkWith(WIDE)],
    ['100,000 levels', chunkWith(DEEP)],
  ])('in a chunk of %s lets the next upstream serve, too', async (_name, chunk) => {
    upstream.play((_req, res) => void res.writeHead(200, SSE).end(sseEvent(chunk)))
    const { key } = await makeChatter()
    const answer = await sendStreamedChat(key.key, withSecond())
    expect(textIn(answer.chunks)).toBe('second')
  })
})

/** Writes pieces for as long as the connection is open. */
function writeOn(res: ServerResponse, piece: () => string): void {
  const write = () => {
    if (res.destroyed) return
    if (res.write(piece())) setTimeout(write, 5)
    else res.once('drain', write)
  }
  write()
}

describe('a stream that does not end', () => {
  it.each([
    ['of text', () => sseEvent(streamChunk({ content: 'All work and no play. '.repeat(200) }))],
    ['of empty chunks', () => sseEvent(streamChunk({})).repeat(100)],
  ])('%s is cut when it is far more than was asked for, and costs the hold at most', async (_name, piece) => {
    let isClosed = false
    upstream.play((_req, res) => {
      res.writeHead(200, SSE).write(sseEvent(streamChunk({ content: 'Once ' })))
      res.on('close', () => {
        isClosed = true
      })
      writeOn(res, piece)
    })
    const { owner, key } = await makeChatter(100_000)
    const answer = await sendStreamedChat(key.key, alone())
    expect(JSON.stringify(answer.events.at(-1))).toContain('sent far more than it was asked for')
    await expect.poll(() => isClosed).toBe(true)
    const { credits } = (await receiptOf(key.key, answer)) as { credits: { held: number; charged: number } }
    expect(credits.charged).toBeGreaterThan(0)
    expect(credits.charged).toBeLessThanOrEqual(credits.held)
    expect(chargeIn(answer)).toBe(credits.charged)
    expect(await readOwnerMoney(owner)).toMatchObject({ held: 0, charged: credits.charged })
  })

  it.each([
    ['comments', ': still here\n\n'],
    ['blank lines', '\n'],
  ])('of %s after the first token ends when the next is due', async (_name, piece) => {
    UPSTREAM_TIMEOUTS.idleMs = 500
    upstream.play((_req, res) => {
      res.writeHead(200, SSE).write(sseEvent(streamChunk({ content: 'Once ' })))
      writeOn(res, () => piece)
    })
    const { key } = await makeChatter(100_000)
    const answer = await sendStreamedChat(key.key, alone())
    expect(textIn(answer.chunks)).toBe('Once ')
    expect(JSON.stringify(answer.events.at(-1))).toContain('upstream_error')
  })
})
