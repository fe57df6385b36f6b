import { expect } from 'vitest'
import { recordsIn } from '../../../server/kit/record'
import type { Ask, JsonObject, Reading, SseEvent, WireClient } from './scene'

type Usage = {
  input_tokens: number
  output_tokens: number
  input_tokens_details: { cached_tokens: number; cache_write_tokens?: number }
}

const textsIn = (parts: unknown): string =>
  recordsIn(parts)
    .map(({ text }) => text)
    .join('')

function reading({ model, output, usage }: JsonObject): Reading {
  const items = recordsIn(output)
  const { input_tokens, output_tokens, input_tokens_details: details } = usage as Usage
  const calls = items.filter(({ type }) => type === 'function_call')
  return {
    model,
    text: items.map(({ type, content }) => (type === 'message' ? textsIn(content) : '')).join(''),
    thought: items.map(({ type, summary }) => (type === 'reasoning' ? textsIn(summary) : '')).join(''),
    calls: calls.map((call) => ({
      id: String(call.call_id),
      name: String(call.name),
      input: JSON.parse(String(call.arguments)),
    })),
    stop: calls.length > 0 ? 'tools' : 'end',
    usage: {
      input: input_tokens,
      output: output_tokens,
      cached: details.cached_tokens,
      written: details.cache_write_tokens ?? 0,
    },
    native: items,
  }
}

function body({ model, text, limit, tools, image, schema, effort, earlier }: Ask, isStream: boolean): JsonObject {
  const content = image
    ? [
        { type: 'input_text', text },
        { type: 'input_image', image_url: image, detail: 'auto' },
      ]
    : text
  const results = Object.entries(earlier?.results ?? {})
  return {
    model,
    input: [
      { role: 'user', content },
      ...((earlier?.answer.native as JsonObject[] | undefined) ?? []),
      ...results.map(([call_id, output]) => ({ type: 'function_call_output', call_id, output })),
    ],
    store: false,
    include: ['reasoning.encrypted_content'],
    ...(limit && { max_output_tokens: limit }),
    ...(tools && {
      tools: tools.map((name) => ({
        type: 'function',
        name,
        description: name,
        strict: false,
        parameters: { type: 'object', properties: {} },
      })),
    }),
    ...(schema && { text: { format: { type: 'json_schema', name: 'answer', strict: true, schema } } }),
    ...(effort && { reasoning: { effort, summary: 'auto' } }),
    ...(isStream && { stream: true }),
  }
}

/** What the deltas of an item say, and what the item says when it is done: they must agree. */
function expectPieces(sent: readonly JsonObject[]): void {
  const begun = new Set<unknown>()
  const pieces = new Map<unknown, string>()
  for (const event of sent) {
    const { type, item, output_index: place, delta } = event
    if (type === 'response.output_item.added') begun.add(place)
    else if (place !== undefined) expect(begun, `${String(type)} before its item`).toContain(place)
    if (typeof delta === 'string') pieces.set(place, (pieces.get(place) ?? '') + delta)
    if (type !== 'response.output_item.done') continue
    const { content, summary, arguments: args } = item as JsonObject
    expect(pieces.get(place) ?? '').toBe(args ?? textsIn(content ?? summary))
  }
}

const sentIn = (events: readonly SseEvent[]): JsonObject[] =>
  events.filter(({ data }) => data !== '[DONE]').map(({ data }) => data as JsonObject)

function readStream(events: readonly SseEvent[]): Reading {
  const sent = sentIn(events)
  expect(events.slice(0, sent.length).map(({ event }) => event)).toEqual(sent.map(({ type }) => type))
  expect(sent.map(({ sequence_number: n }) => n)).toEqual(sent.map((_, i) => i))
  expect(sent[0]?.type).toBe('response.created')
  expect(sent.at(-1)?.type).toBe('response.completed')
  expectPieces(sent)
  const { response, service } = sent.at(-1) as { response: JsonObject; service: unknown }
  expect(response.service).toEqual(service)
  const done = sent.filter(({ type }) => type === 'response.output_item.done')
  const inOrder = done.sort((a, b) => Number(a.output_index) - Number(b.output_index)).map(({ item }) => item)
  expect(response.output).toEqual(inOrder)
  return reading(response)
}

/** A client of the Responses API. */
export const responsesClient: WireClient = {
  path: '/api/v1/responses',
  body,
  readAnswer: (answer) => {
    expect(answer).toMatchObject({ object: 'response', status: 'completed', error: null })
    return reading(answer)
  },
  readStream,
  readError: ({ error, response }) =>
    ((response as JsonObject | undefined)?.error ?? error) as { code: unknown; message: unknown },
  failureIn: (events) => sentIn(events).find(({ type }) => type === 'response.failed') ?? null,
}
