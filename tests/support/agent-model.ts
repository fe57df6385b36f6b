import type { ServerResponse } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { isRecord, recordsIn, type UnknownRecord } from '../../server/kit/record'
import { sseEvent, streamChunk, type UpstreamHandler } from './fake-upstream'

/** What a model is asked: the body of one call. */
export type AskedModel = { messages: UnknownRecord[]; tools: string[]; body: UnknownRecord }

/** How a fake model answers: a text, calls, or both. */
export type ModelAnswer = {
  content?: string
  calls?: { name: string; arguments: unknown }[]
  finishReason?: string
}

/** Plays a chat model that answers every call with what `answer` makes of it, streamed if asked. */
export const playAgentModel =
  (answer: (asked: AskedModel) => ModelAnswer): UpstreamHandler =>
  async (req, res) => {
    const body: unknown = JSON.parse(await readText(req))
    if (!isRecord(body)) return void res.writeHead(400).end()
    const messages = recordsIn(body.messages)
    const tools = recordsIn(body.tools).map(({ function: made }) => (isRecord(made) ? String(made.name) : ''))
    write(res, body, answer({ messages, tools, body }))
  }

let made = 0
const CHARS_PER_TOKEN = 5

function write(res: ServerResponse, body: UnknownRecord, { content, calls = [], finishReason }: ModelAnswer): void {
  const isStream = body.stream === true
  const toolCalls = calls.map((call, index) => ({
    ...(isStream && { index }),
    id: `made_${made++}`,
    type: 'function',
    function: { name: call.name, arguments: JSON.stringify(call.arguments) },
  }))
  const message = {
    role: 'assistant',
    content: content ?? null,
    ...(toolCalls.length > 0 && { tool_calls: toolCalls }),
  }
  const reason = finishReason ?? (toolCalls.length > 0 ? 'tool_calls' : 'stop')
  const tokens = Math.ceil(JSON.stringify(body).length / CHARS_PER_TOKEN)
  const usage = { prompt_tokens: tokens, completion_tokens: 50, total_tokens: tokens + 50 }
  const head = { id: 'v1', model: 'upstream-name' }
  if (isStream) {
    const events = [streamChunk(message, null), streamChunk({}, reason), { ...head, choices: [], usage }, '[DONE]']
    res.writeHead(200, { 'content-type': 'text/event-stream' }).end(events.map(sseEvent).join(''))
    return
  }
  const answer = { ...head, object: 'chat.completion', choices: [{ index: 0, message, finish_reason: reason }], usage }
  res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
}

/** The text of a message. */
export const contentOf = ({ content }: UnknownRecord): string => (typeof content === 'string' ? content : '')

/** The system prompt of a call. */
export const systemOf = ({ messages }: AskedModel): string => contentOf(messages[0] ?? {})

/** The whole of a call's messages as one text. */
export const promptTextOf = ({ messages }: AskedModel): string => messages.map(contentOf).join('\n')
