import { expect, test } from 'vitest'
import { type ChatStreamPart, parseChatEvent, readChatStreamParts } from './stream'

const chunk = (delta: object, more: object = {}) => `data: ${JSON.stringify({ choices: [{ delta, ...more }] })}\n\n`
const COST = `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 9, completion_tokens: 2 }, service: { credits_charged: 3 } })}\n\n`

/** The parts of a body that arrives in chunks of `size` bytes. */
async function read(text: string, { status = 200, size = 7 } = {}): Promise<ChatStreamPart[]> {
  const bytes = new TextEncoder().encode(text)
  const body = new ReadableStream({
    start(controller) {
      for (let i = 0; i < bytes.length; i += size) controller.enqueue(bytes.slice(i, i + size))
      controller.close()
    },
  })
  return Array.fromAsync(readChatStreamParts(new Response(body, { status, headers: { 'x-request-id': 'r1' } })))
}

test('a response is read part by part, however its bytes are split', async () => {
  const wire = `: keepalive\n\n${chunk({ role: 'assistant', content: '' })}${chunk({ reasoning: 'Hm' })}${chunk({ content: 'Grüße ☂' })}${chunk({}, { finish_reason: 'stop' })}${COST}data: [DONE]\n\n`
  const expected = [
    { kind: 'started', requestId: 'r1' },
    { kind: 'reasoning', text: 'Hm' },
    { kind: 'text', text: 'Grüße ☂' },
    { kind: 'finish', reason: 'stop' },
    { kind: 'cost', charged: 3, inputTokens: 9, outputTokens: 2 },
  ]
  for (const size of [1, 7, 10_000]) expect(await read(wire, { size })).toEqual(expected)
})

test('a failure in mid-stream has its message and its charge, and ends the stream', async () => {
  const failure = {
    error: { message: 'The provider failed.', code: 'upstream_error' },
    service: { credits_charged: 5 },
  }
  const parts = await read(`${chunk({ content: 'a' })}event: error\ndata: ${JSON.stringify(failure)}\n\n${COST}`)
  expect(parts.slice(1)).toEqual([
    { kind: 'text', text: 'a' },
    { kind: 'failed', message: 'The provider failed.', charged: 5 },
  ])
})

test('a stream that ends early is disconnected', async () => {
  expect((await read(chunk({ content: 'a' }))).at(-1)).toEqual({ kind: 'disconnected' })
})

test.each([
  [JSON.stringify({ error: { message: 'Not enough credits.' } }), 402, 'Not enough credits.'],
  ['<html>', 502, 'The server returned status 502.'],
  ['', 500, 'The server returned status 500.'],
])('%s with status %i is a refusal with a message', async (body, status, message) => {
  expect(await read(body, { status })).toEqual([{ kind: 'refused', message }])
})

test('events without content have no parts', () => {
  expect(
    ['null', '5', '{}', '{"choices":[]}', '{"choices":[null]}', '{"choices":[{"delta":null}]}'].flatMap(parseChatEvent),
  ).toEqual([])
})
