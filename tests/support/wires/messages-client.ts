import { expect } from 'vitest'
import { recordsIn } from '../../../server/kit/record'
import type { Ask, JsonObject, Reading, SseEvent, WireClient } from './scene'

type Usage = {
  input_tokens: number
  output_tokens: number
  cache_read_input_tokens?: number
  cache_creation_input_tokens?: number
}

const joined = (blocks: readonly JsonObject[], type: string, field: string): string =>
  blocks.map((block) => (block.type === type ? String(block[field]) : '')).join('')

function reading({ model, content, stop_reason }: JsonObject, usage: Usage): Reading {
  const blocks = recordsIn(content)
  const { cache_read_input_tokens: cached = 0, cache_creation_input_tokens: written = 0 } = usage
  return {
    model,
    text: joined(blocks, 'text', 'text'),
    thought: joined(blocks, 'thinking', 'thinking'),
    calls: blocks
      .filter(({ type }) => type === 'tool_use')
      .map(({ id, name, input }) => ({ id: String(id), name: String(name), input })),
    stop: stop_reason === 'tool_use' ? 'tools' : 'end',
    usage: { input: usage.input_tokens + cached + written, output: usage.output_tokens, cached, written },
    native: blocks,
  }
}

/** Tokens of thinking, fewer than the limit. */
const THINKING = { low: 2_048, high: 20_000 }

function body({ model, text, limit, tools, image, schema, effort, earlier }: Ask, isStream: boolean): JsonObject {
  const [, type, data] = /^data:(.*);base64,(.*)$/.exec(image ?? '') ?? []
  const content = image
    ? [
        { type: 'text', text },
        { type: 'image', source: { type: 'base64', media_type: type, data } },
      ]
    : text
  const results = Object.entries(earlier?.results ?? {})
  return {
    model,
    max_tokens: limit ?? 4_096,
    messages: [
      { role: 'user', content },
      ...(earlier ? [{ role: 'assistant', content: earlier.answer.native }] : []),
      ...(results.length > 0
        ? [
            {
              role: 'user',
              content: results.map(([tool_use_id, said]) => ({ type: 'tool_result', tool_use_id, content: said })),
            },
          ]
        : []),
    ],
    ...(tools && {
      tools: tools.map((name) => ({ name, description: name, input_schema: { type: 'object', properties: {} } })),
    }),
    ...(schema && { output_config: { format: { type: 'json_schema', schema } } }),
    ...(effort && { thinking: { type: 'enabled', budget_tokens: THINKING[effort] } }),
    ...(isStream && { stream: true }),
  }
}

function addDelta(block: JsonObject, { type, text, thinking, signature, partial_json: json }: JsonObject): void {
  if (type === 'text_delta') block.text = String(block.text) + text
  else if (type === 'thinking_delta') block.thinking = String(block.thinking) + thinking
  else if (type === 'signature_delta') block.signature = signature
  else if (type === 'input_json_delta') block.json = String(block.json ?? '') + json
}

/** The message that the events make: blocks one after the other, each begun and ended. */
function readStream(events: readonly SseEvent[]): Reading {
  const sent = events.map(({ data }) => data as JsonObject)
  expect(events.map(({ event }) => event)).toEqual(sent.map(({ type }) => type))
  const [first, ...rest] = sent.filter(({ type }) => type !== 'ping')
  expect(first?.type).toBe('message_start')
  const message = first?.message as JsonObject & { usage: Usage }
  const blocks: JsonObject[] = []
  let open: number | null = null
  let usage = message.usage
  let reason: unknown = null
  for (const { type, index, content_block, delta, usage: counted } of rest) {
    if (type === 'content_block_start') {
      expect(open, 'a block inside a block').toBeNull()
      expect(index).toBe(blocks.length)
      open = blocks.push({ ...(content_block as JsonObject) }) - 1
    } else if (type === 'content_block_delta') {
      expect(index).toBe(open)
      addDelta(blocks[Number(index)] as JsonObject, delta as JsonObject)
    } else if (type === 'content_block_stop') {
      expect(index).toBe(open)
      open = null
    } else if (type === 'message_delta') {
      expect(open, 'an open block at the end').toBeNull()
      reason = (delta as JsonObject).stop_reason
      usage = { ...usage, ...(counted as Usage) }
    }
  }
  expect(rest.slice(-2).map(({ type }) => type)).toEqual(['message_delta', 'message_stop'])
  const content = blocks.map(({ json, ...block }) =>
    block.type === 'tool_use' ? { ...block, input: JSON.parse(String(json || '{}')) } : block,
  )
  return reading({ model: message.model, content, stop_reason: reason }, usage)
}

/** A client of the Messages API. */
export const messagesClient: WireClient = {
  path: '/api/v1/messages',
  body,
  readAnswer: (answer) => {
    expect(answer).toMatchObject({ type: 'message', role: 'assistant', id: expect.stringMatching(/^msg_/) })
    return reading(answer, answer.usage as Usage)
  },
  readStream,
  readError: ({ error }) => error as { code: unknown; message: unknown },
  failureIn: (events) => (events.at(-1)?.event === 'error' ? (events.at(-1)?.data as JsonObject) : null),
}
