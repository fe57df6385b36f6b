import { expect } from 'vitest'
import { recordsIn } from '../../../server/kit/record'
import type { Ask, JsonObject, Reading, SceneUsage, WireClient } from './scene'

type Call = { id: string; type: 'function'; function: { name: string; arguments: string } }
type Message = {
  role: 'assistant'
  content: string | null
  reasoning?: string
  reasoning_details?: JsonObject[]
  tool_calls?: Call[]
}
type Usage = {
  prompt_tokens: number
  completion_tokens: number
  prompt_tokens_details?: { cached_tokens?: number; cache_write_tokens?: number }
}

const usageIn = ({ prompt_tokens, completion_tokens, prompt_tokens_details: details }: Usage): SceneUsage => ({
  input: prompt_tokens,
  output: completion_tokens,
  cached: details?.cached_tokens ?? 0,
  written: details?.cache_write_tokens ?? 0,
})

const reading = (model: unknown, message: Message, finishReason: unknown, usage: Usage): Reading => ({
  model,
  text: message.content ?? '',
  thought: message.reasoning ?? '',
  calls: (message.tool_calls ?? []).map(({ id, function: { name, arguments: args } }) => ({
    id,
    name,
    input: JSON.parse(args),
  })),
  stop: finishReason === 'tool_calls' ? 'tools' : 'end',
  usage: usageIn(usage),
  native: message,
})

function body({ model, text, limit, tools, image, schema, effort, earlier }: Ask, isStream: boolean): JsonObject {
  const content = image
    ? [
        { type: 'text', text },
        { type: 'image_url', image_url: { url: image } },
      ]
    : text
  const results = Object.entries(earlier?.results ?? {})
  return {
    model,
    messages: [
      { role: 'user', content },
      ...(earlier ? [earlier.answer.native] : []),
      ...results.map(([tool_call_id, said]) => ({ role: 'tool', tool_call_id, content: said })),
    ],
    ...(limit && { max_completion_tokens: limit }),
    ...(tools && {
      tools: tools.map((name) => ({
        type: 'function',
        function: { name, description: name, parameters: { type: 'object', properties: {} } },
      })),
    }),
    ...(schema && {
      response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema } },
    }),
    ...(effort && { reasoning_effort: effort }),
    ...(isStream && { stream: true, stream_options: { include_usage: true } }),
  }
}

/** Joins the pieces of a detail, as clients that keep reasoning do. */
function addDetail(details: JsonObject[], piece: JsonObject): void {
  const known = details.find(({ index }) => index === piece.index)
  if (!known) details.push({ ...piece })
  else
    for (const [name, value] of Object.entries(piece))
      known[name] = ['text', 'summary'].includes(name) ? `${known[name] ?? ''}${value}` : value
}

/** Joins the pieces of a call. */
function addCall(calls: Call[], { index, id, function: called }: JsonObject): void {
  const { name, arguments: piece = '' } = (called ?? {}) as { name?: string; arguments?: string }
  const known = calls[index as number]
  if (known) known.function.arguments += piece
  else calls[index as number] = { id: String(id), type: 'function', function: { name: String(name), arguments: piece } }
}

function readStream(events: Parameters<WireClient['readStream']>[0]): Reading {
  expect(events.at(-1)).toEqual({ event: undefined, data: '[DONE]' })
  const chunks = events.slice(0, -1).map(({ data }) => data as JsonObject)
  const message: Message = { role: 'assistant', content: null }
  const details: JsonObject[] = []
  const calls: Call[] = []
  let finishReason: unknown = null
  for (const { choices } of chunks) {
    const [choice] = choices as { delta: JsonObject; finish_reason: unknown }[]
    if (!choice) continue
    expect(finishReason, 'what follows the end').toBeNull()
    const { content, reasoning, reasoning_details, tool_calls } = choice.delta
    if (typeof content === 'string') message.content = (message.content ?? '') + content
    if (typeof reasoning === 'string') message.reasoning = (message.reasoning ?? '') + reasoning
    for (const piece of recordsIn(reasoning_details)) addDetail(details, piece)
    for (const piece of recordsIn(tool_calls)) addCall(calls, piece)
    finishReason = choice.finish_reason
  }
  if (details.length > 0) message.reasoning_details = details
  if (calls.length > 0) message.tool_calls = calls
  const last = chunks.at(-1)
  return reading(last?.model, message, finishReason, last?.usage as Usage)
}

/** A client of chat completions. */
export const chatClient: WireClient = {
  path: '/api/v1/chat/completions',
  body,
  readAnswer: ({ model, choices, usage }) => {
    const [choice] = choices as { message: Message; finish_reason: unknown }[]
    expect(choice).toBeDefined()
    return reading(model, choice?.message as Message, choice?.finish_reason, usage as Usage)
  },
  readStream,
  readError: ({ error }) => error as { code: unknown; message: unknown },
  failureIn: (events) => (events.at(-1)?.event === 'error' ? (events.at(-1)?.data as JsonObject) : null),
}
