import { describe, expect, it } from 'vitest'
import { openStreams } from '../../server/kit/sse'
import { withSandbox } from '../support/api'
import {
  billedIn,
  CHAT_MODEL,
  chargeIn,
  choicesIn,
  creditsAtChatModel,
  makeChatter,
  receiptOf,
  scriptedBody,
  sendChat,
  sendStreamedChat,
  textIn,
} from '../support/chat'
import { streamChunk, streamEvents, withFakeUpstream } from '../support/fake-upstream'
import { readOwnerMoney } from '../support/ledger'

const upstream = withFakeUpstream()
withSandbox()

const LONG = 'All work and no play makes for a dull afternoon. '.repeat(40).trim()
const ASKED = { stream_options: { include_usage: true } }
const endingsIn = (chunks: Record<string, unknown>[]) =>
  chunks.filter((chunk) => choicesIn(chunk).some((c) => c.finish_reason))
const done = { event: undefined, data: '[DONE]' }

describe('a stream', () => {
  it('is server-sent events under our model id, ends with [DONE], and is not to be buffered', async () => {
    const { key } = await makeChatter()
    const answer = await sendStreamedChat(key.key, scriptedBody({ text: 'one two three' }))
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(answer.headers.get('x-accel-buffering')).toBe('no')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('x-ratelimit-remaining-requests')).toBe('9999')
    expect(answer.events.at(-1)).toEqual(done)
    expect(textIn(answer.chunks)).toBe('one two three')
    for (const chunk of answer.chunks) {
      expect(chunk).toMatchObject({ object: 'chat.completion.chunk', model: CHAT_MODEL, sandbox: true })
      expect(chunk.choices).not.toEqual([])
      expect(chunk).not.toHaveProperty('usage')
    }
    expect(openStreams.count).toBe(0)
  })

  it('costs what the same answer costs without a stream', async () => {
    const { owner, key } = await makeChatter()
    for (const script of [
      { text: LONG },
      { text: LONG, usage: 'none' },
      { text: LONG, reasoning: LONG, usage: 'none' },
    ]) {
      const whole = await sendChat(key.key, scriptedBody(script))
      const streamed = await sendStreamedChat(key.key, scriptedBody(script))
      const pieces = await sendStreamedChat(key.key, scriptedBody({ ...script, chunks: 1000 }))
      const { credits_charged } = whole.body.service as { credits_charged: number }
      expect(credits_charged).toBeGreaterThan(10)
      expect(chargeIn(streamed)).toBe(credits_charged)
      expect(Math.abs(chargeIn(pieces) - credits_charged)).toBeLessThanOrEqual(script.usage ? 1 : 0)
    }
    expect(await readOwnerMoney(owner)).toMatchObject({ held: 0, holds: 0, receipts: 9 })
  })

  it('leaves a receipt with its tokens, exact', async () => {
    const { owner, key } = await makeChatter()
    const answer = await sendStreamedChat(key.key, scriptedBody({ text: LONG }, ASKED))
    const usage = answer.chunks.at(-1)?.usage as { prompt_tokens: number; completion_tokens: number }
    const credits = creditsAtChatModel(usage.prompt_tokens, usage.completion_tokens)
    expect(chargeIn(answer)).toBe(credits)
    expect(await receiptOf(key.key, answer)).toMatchObject({
      status: 'ok',
      credits: { charged: credits },
      detail: { inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens, estimated: false },
    })
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: credits, held: 0, receipts: 1 })
  })

  it('brings tool calls in pieces that fit together', async () => {
    const { key } = await makeChatter()
    const tools = [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }]
    const { chunks } = await sendStreamedChat(
      key.key,
      scriptedBody({ toolCalls: [{ name: 'f', arguments: '{"city": "Oslo"}', id: 'call_7' }] }, { tools }),
    )
    const calls = chunks
      .flatMap(choicesIn)
      .flatMap((c) => (c.delta.tool_calls ?? []) as { function: { arguments: string } }[])
    expect(calls[0]).toMatchObject({ index: 0, id: 'call_7', function: { name: 'f' } })
    expect(calls.map((c) => c.function.arguments).join('')).toBe('{"city": "Oslo"}')
    expect(endingsIn(chunks).at(-1)).toMatchObject({ choices: [{ finish_reason: 'tool_calls' }], service: {} })
  })
})

describe('service is on exactly one chunk', () => {
  it('the last with a finish_reason, when usage was not asked for', async () => {
    const { key } = await makeChatter()
    for (const stream_options of [undefined, null, {}, { include_usage: false }, { include_usage: null }]) {
      const { chunks } = await sendStreamedChat(key.key, scriptedBody({ text: 'one two' }, { stream_options }))
      expect(billedIn(chunks)).toEqual([endingsIn(chunks).at(-1)])
      expect(chunks.every((chunk) => choicesIn(chunk).length > 0 && !('usage' in chunk))).toBe(true)
    }
  })

  it('the usage chunk, last and without choices, when it was asked for', async () => {
    const { key } = await makeChatter()
    const { chunks, events } = await sendStreamedChat(
      key.key,
      scriptedBody({ text: 'one two', reasoning: 'hm' }, ASKED),
    )
    expect(billedIn(chunks)).toEqual([chunks.at(-1)])
    expect(chunks.at(-1)).toMatchObject({
      choices: [],
      usage: { completion_tokens: 3, completion_tokens_details: { reasoning_tokens: 1 } },
      service: { credits_charged: 1 },
    })
    expect(chunks.slice(0, -1).every((chunk) => chunk.usage === null && choicesIn(chunk).length > 0)).toBe(true)
    expect(events.at(-1)).toEqual(done)
  })

  it.each([
    ['not asked for', {}],
    ['asked for', ASKED],
  ])('with several choices, usage %s', async (_name, more) => {
    const { owner, key } = await makeChatter()
    const { chunks, events } = await sendStreamedChat(key.key, scriptedBody({ text: LONG }, { n: 3, ...more }))
    expect(endingsIn(chunks)).toHaveLength(3)
    expect(billedIn(chunks)).toHaveLength(1)
    expect(billedIn(chunks)[0]).toEqual('stream_options' in more ? chunks.at(-1) : endingsIn(chunks).at(-1))
    for (const index of [0, 1, 2]) expect(textIn(chunks, index)).toContain('afternoon')
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: chargeIn({ events }), held: 0 })
  })

  it.each([
    ['never comes', { usage: 'none' }],
    ['is negative', { usage: 'negative' }],
    ['is text', { usage: 'string' }],
    ['is no whole number', { usage: 'float' }],
    ['is zero', { usage: 'zero' }],
    ['never comes, nor [DONE]', { usage: 'none', noDone: true }],
  ])('with what was counted, when usage %s', async (_name, script) => {
    const { owner, key } = await makeChatter()
    for (const more of [{}, ASKED]) {
      const answer = await sendStreamedChat(key.key, scriptedBody({ text: LONG, ...script }, more))
      expect(chargeIn(answer)).toBeGreaterThan(10)
      expect(billedIn(answer.chunks)).toEqual([answer.chunks.at(-1)])
      expect(await receiptOf(key.key, answer)).toMatchObject({ status: 'ok', detail: { estimated: true } })
    }
    expect(await readOwnerMoney(owner)).toMatchObject({ held: 0, holds: 0, receipts: 2 })
  })

  it('with the hold, when usage is ten times too high', async () => {
    const { owner, key } = await makeChatter()
    const answer = await sendStreamedChat(key.key, scriptedBody({ text: LONG, usage: 'x10' }, { max_tokens: 500 }))
    const receipt = await receiptOf(key.key, answer)
    expect(receipt.credits).toMatchObject({ charged: chargeIn(answer), released: 0 })
    expect((receipt.detail as { loss: number }).loss).toBeGreaterThan(0)
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: chargeIn(answer), held: 0 })
  })

  it('with what was counted, 5 s after the last text, when usage is later than that', async () => {
    const { key } = await makeChatter()
    const started = Date.now()
    const answers = await Promise.all(
      [{}, ASKED].map((more) => sendStreamedChat(key.key, scriptedBody({ text: LONG, usageDelayMs: 30_000 }, more))),
    )
    expect(Date.now() - started).toBeGreaterThan(4_500)
    for (const answer of answers) {
      expect(chargeIn(answer)).toBeGreaterThan(10)
      expect(answer.events.at(-1)).toEqual(done)
      // The usage, which comes after 30 s, was not waited for.
      expect(await receiptOf(key.key, answer)).toMatchObject({ status: 'ok', detail: { estimated: true } })
    }
  })

  it('with the usage that comes late, but within 5 s', async () => {
    const { key } = await makeChatter()
    const answer = await sendStreamedChat(key.key, scriptedBody({ text: LONG, usageDelayMs: 1_000 }))
    expect(await receiptOf(key.key, answer)).toMatchObject({ detail: { estimated: false } })
  })
})

const usage = { prompt_tokens: 1_000_000, completion_tokens: 10, total_tokens: 1_000_010 }
const upstreamBody = (more: object = {}) => scriptedBody({}, { model: 'upstream/one', max_tokens: 50, ...more })

describe('an unusual upstream', () => {
  it('that reports usage on the finish chunk is believed, and the chunk is sent without it', async () => {
    const { key } = await makeChatter()
    for (const more of [{}, ASKED]) {
      upstream.play(streamEvents(streamChunk({ content: 'a' }), { ...streamChunk({}, 'stop'), usage }, '[DONE]'))
      const answer = await sendStreamedChat(key.key, upstreamBody(more))
      expect(await receiptOf(key.key, answer)).toMatchObject({ detail: { inputTokens: 1_000_000, estimated: false } })
      expect(billedIn(answer.chunks)).toEqual([answer.chunks.at(-1)])
      expect(answer.chunks.filter((chunk) => chunk.usage)).toHaveLength('stream_options' in more ? 1 : 0)
    }
  })

  it('that reports usage on every chunk is believed in the last', async () => {
    const { key } = await makeChatter()
    const early = { prompt_tokens: 5, completion_tokens: 1 }
    upstream.play(
      streamEvents({ ...streamChunk({ content: 'a' }), usage: early }, { ...streamChunk({}, 'stop'), usage }, '[DONE]'),
    )
    const answer = await sendStreamedChat(key.key, upstreamBody())
    expect(await receiptOf(key.key, answer)).toMatchObject({ detail: { outputTokens: 10 } })
  })

  it('that reports usage on a chunk with a choice after the finish: service is only on the finish chunk', async () => {
    const { key } = await makeChatter()
    upstream.play(
      streamEvents(
        streamChunk({ content: 'a' }),
        streamChunk({}, 'stop'),
        { ...streamChunk({ content: '' }), usage },
        '[DONE]',
      ),
    )
    const { chunks } = await sendStreamedChat(key.key, upstreamBody())
    expect(chunks.map((chunk) => choicesIn(chunk)[0]?.finish_reason)).toEqual([null, 'stop', null])
    expect(billedIn(chunks)).toEqual([chunks[1]])
  })

  it('that never gives a finish_reason gets one made, with the service', async () => {
    const { key } = await makeChatter()
    upstream.play(streamEvents(streamChunk({ content: 'a' }), streamChunk({ content: 'b' })))
    const { chunks } = await sendStreamedChat(key.key, upstreamBody())
    expect(textIn(chunks)).toBe('ab')
    expect(chunks).toHaveLength(3)
    expect(chunks.at(-1)).toMatchObject({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], service: {} })
  })

  it('that ends one choice of two gets the other one ended', async () => {
    const { key } = await makeChatter()
    upstream.play(
      streamEvents(
        streamChunk({ content: 'a' }),
        streamChunk({}, 'stop'),
        streamChunk({ content: 'b' }, null, 1),
        '[DONE]',
      ),
    )
    const { chunks } = await sendStreamedChat(key.key, upstreamBody({ n: 2 }))
    expect(billedIn(chunks)).toEqual([chunks.at(-1)])
    expect(chunks.at(-1)).toMatchObject({ choices: [{ index: 1, finish_reason: 'stop' }] })
  })

  it('that gives an empty finish_reason with every piece is not taken to have ended', async () => {
    const { key } = await makeChatter()
    upstream.play((_req, res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' })
      let sent = 0
      const timer = setInterval(() => {
        res.write(`data: ${JSON.stringify(streamChunk({ content: 'x' }, sent === 9 ? 'stop' : ''))}\n\n`)
        if (++sent < 10) return
        clearInterval(timer)
        res.end('data: [DONE]\n\n')
      }, 600)
    })
    const { chunks } = await sendStreamedChat(key.key, upstreamBody())
    expect(textIn(chunks)).toBe('x'.repeat(10))
    expect(billedIn(chunks)).toEqual([chunks.at(-1)])
  })

  it('that goes on sending chunks without usage after the end is waited for 5 s in all', async () => {
    const { key } = await makeChatter()
    let timer: NodeJS.Timeout | undefined
    upstream.play((_req, res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' })
      res.write(`data: ${JSON.stringify(streamChunk({ content: 'x' }, 'stop'))}\n\n`)
      timer = setInterval(() => res.write('data: {"choices": []}\n\n'), 1_000)
    })
    const { chunks } = await sendStreamedChat(key.key, upstreamBody())
    clearInterval(timer)
    expect(billedIn(chunks)).toEqual([chunks.at(-1)])
  })

  it('that sends chunks without choices has them kept from the caller', async () => {
    const { key } = await makeChatter()
    for (const more of [{}, ASKED]) {
      upstream.play(
        streamEvents({ choices: [], prompt_filter_results: [] }, {}, streamChunk({ content: 'a' }, 'stop'), '[DONE]'),
      )
      const { chunks } = await sendStreamedChat(key.key, upstreamBody(more))
      expect(chunks.filter((chunk) => choicesIn(chunk).length === 0)).toHaveLength('stream_options' in more ? 1 : 0)
    }
  })

  it('cannot say what was charged', async () => {
    const { key } = await makeChatter()
    const service = { credits_charged: 0 }
    upstream.play(
      streamEvents({ ...streamChunk({ content: 'a' }), service }, { ...streamChunk({}, 'stop'), service }, '[DONE]'),
    )
    const { chunks } = await sendStreamedChat(key.key, upstreamBody())
    expect(billedIn(chunks)).toEqual([chunks.at(-1)])
    expect(chunks.at(-1)).toMatchObject({ service: { credits_charged: 1 } })
    upstream.play((_req, res) => {
      res.setHeader('content-type', 'application/json')
      res.end(JSON.stringify({ choices: [], usage, service }))
    })
    const { body } = await sendChat(key.key, upstreamBody())
    expect((body.service as typeof service).credits_charged).toBeGreaterThan(0)
  })
})
