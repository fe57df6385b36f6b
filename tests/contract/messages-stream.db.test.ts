import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sseTiming } from '../../server/kit/sse'
import { send, withSandbox } from '../support/api'
import { chargeIn, makeChatter, receiptOf, sandboxUpstream } from '../support/chat'
import { readOwnerMoney } from '../support/ledger'
import {
  builtContent,
  MESSAGES_PATH,
  messageEvents,
  messagesBody,
  modelCalls,
  sendStreamedMessages,
} from '../support/messages'
import { modelOf, withWireModels } from '../support/wire-models'

const WIRES = ['chat', 'responses', 'messages'] as const
withSandbox()
withWireModels(WIRES)

const LONG = 'All work and no play makes for a dull afternoon. '.repeat(20).trim()

describe.each(WIRES)('a stream over an upstream of the %s wire', (wire) => {
  const body = (script: object, more: object = {}) =>
    messagesBody(modelOf(wire), { text: LONG, ...script }, { ...more })

  it('that breaks ends with an error event, which has the charge of what was delivered', async () => {
    const { owner, key } = await makeChatter()
    for (const accident of ['failAfterChunks', 'cutAfterChunks', 'garbageAfterChunks']) {
      const streamed = await sendStreamedMessages(key.key, body({ [accident]: 50 }))
      expect(streamed.status).toBe(200)
      const events = messageEvents(streamed)
      expect(JSON.stringify(builtContent(streamed))).toContain('dull afternoon')
      expect(events.at(-1)).toEqual({
        type: 'error',
        error: {
          type: 'api_error',
          code: 'upstream_error',
          reason: 'provider_error',
          retryable: true,
          message: expect.stringMatching(/\S/),
        },
        request_id: streamed.headers.get('request-id'),
        service: { credits_charged: expect.any(Number) },
      })
      expect(chargeIn(streamed)).toBeGreaterThan(0)
      expect(await receiptOf(key.key, streamed)).toMatchObject({ status: 'failed', detail: { estimated: true } })
    }
    const { charged, held, receipts } = await readOwnerMoney(owner)
    expect([held, receipts]).toEqual([0, 3])
    expect(charged).toBeGreaterThan(3)
  })

  it('whose usage lies is charged for what was delivered', async () => {
    const { owner, key } = await makeChatter()
    let sum = 0
    for (const usage of ['negative', 'string', 'float', 'zero', 'none']) {
      const streamed = await sendStreamedMessages(key.key, body({ usage }))
      expect(messageEvents(streamed).at(-2)).toMatchObject({
        usage: { output_tokens: expect.toSatisfy((n) => n > 150) },
      })
      expect(await receiptOf(key.key, streamed)).toMatchObject({ status: 'ok', detail: { estimated: true } })
      sum += chargeIn(streamed)
    }
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: sum, held: 0 })
  })

  it('whose usage is ten times too high is charged the hold at most', async () => {
    const { key } = await makeChatter()
    const streamed = await sendStreamedMessages(key.key, body({ usage: 'x10' }, { max_tokens: 300 }))
    const { credits } = await receiptOf(key.key, streamed)
    expect(credits).toMatchObject({ charged: chargeIn(streamed), held: chargeIn(streamed), released: 0 })
  })

  it.each([
    ['before the first event', { delayMs: 30_000 }],
    ['between two', { chunkDelayMs: 100 }],
    ['after the last text', { stopAfterTextBeforeUsage: true }],
  ])('of a client that leaves %s is charged, and its upstream cancelled', async (moment, script) => {
    const { owner, key } = await makeChatter()
    const before = await sandboxUpstream.aborted()
    const leaving = new AbortController()
    const call = send(MESSAGES_PATH, {
      key: key.key,
      body: { ...body(script), stream: true },
      signal: leaving.signal,
    }).catch(() => null)
    await expect.poll(modelCalls).toBe(1)
    if (moment !== 'before the first event') await new Promise((resolve) => setTimeout(resolve, 500))
    leaving.abort()
    await call
    await expect.poll(sandboxUpstream.aborted).toBe(before + 1)
    await expect.poll(async () => (await readOwnerMoney(owner)).receipts).toBe(1)
    const { charged, held } = await readOwnerMoney(owner)
    expect(held).toBe(0)
    expect(charged).toBeGreaterThan(0)
  })
})

describe('while the model is silent', () => {
  const { openAfterMs } = sseTiming
  beforeAll(() => void Object.assign(sseTiming, { openAfterMs: 50 }))
  afterAll(() => void Object.assign(sseTiming, { openAfterMs }))

  it('the headers go out with a comment, and a failure is an error event without a charge', async () => {
    const { owner, key } = await makeChatter()
    const model = modelOf('messages')
    const good = await sendStreamedMessages(key.key, messagesBody(model, { text: 'ok', delayMs: 300 }))
    expect(good.comments.length).toBeGreaterThan(0)
    expect(builtContent(good)).toEqual([{ type: 'text', text: 'ok' }])
    const failed = await sendStreamedMessages(key.key, messagesBody(model, { status: 500, delayMs: 300 }))
    expect(messageEvents(failed)).toMatchObject([
      { type: 'error', error: { code: 'upstream_error' }, service: { credits_charged: 0 } },
    ])
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: chargeIn(good), held: 0 })
  })
})
