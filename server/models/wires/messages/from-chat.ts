import { invalidRequest } from '../../../errors'
import { isRecord, recordsIn, type UnknownRecord } from '../../../kit/record'
import type { CompletionBody } from '../../completion'
import { inputOf } from './message'
import { blocksFromChat } from './parts-from-chat'
import { thinkingFromChat } from './reasoning'
import { budgetFromChat } from './thinking'
import { toolsFromChat } from './tools'

/** Fields of a chat request without which the answer would not be what was asked for. */
const REFUSED = ['logprobs', 'top_logprobs', 'logit_bias', 'functions', 'function_call', 'prediction'] as const

/**
 * A chat body in this wire. Left out, because the API has no place for it: `seed`, penalties,
 * `user`, `metadata`, `verbosity`, cache keys and fields that are not known. Throws
 * `invalid_request` for what the answer would be wrong without.
 */
export function messagesBodyFromChat(body: CompletionBody): CompletionBody {
  refuseUncarried(body)
  const { max_completion_tokens: newer, max_tokens: older, temperature, top_p: topP, top_k: topK } = body
  const limit = newer ?? older
  const system = recordsIn(body.messages)
    .filter(isSystem)
    .flatMap(({ content }) => blocksFromChat(content))
  const stop = [body.stop].flat().filter((text) => typeof text === 'string' && text.trim() !== '')
  return {
    messages: alternating(recordsIn(body.messages).filter((message) => !isSystem(message))),
    ...(system.length > 0 && { system }),
    ...(limit != null && { max_tokens: limit }),
    ...(temperature != null && { temperature }),
    ...(topP != null && { top_p: topP }),
    ...(topK != null && { top_k: topK }),
    ...(stop.length > 0 && { stop_sequences: stop }),
    ...toolsFromChat(body),
    ...formatFromChat(body),
    ...budgetFromChat(body),
  }
}

const isSystem = ({ role }: UnknownRecord) => role === 'system' || role === 'developer'

function refuseUncarried(body: CompletionBody): void {
  const refuse = (field: string, message: string) => {
    throw invalidRequest([{ path: [field], message }])
  }
  for (const field of REFUSED) {
    if (body[field] != null && body[field] !== false) refuse(field, 'is not supported by this model')
  }
  if (typeof body.n === 'number' && body.n > 1) refuse('n', 'must be 1 for this model')
}

/** Messages whose roles alternate: what follows in the same role is one message. */
function alternating(messages: readonly UnknownRecord[]): UnknownRecord[] {
  const merged: { role: string; content: UnknownRecord[] }[] = []
  for (const message of messages) {
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    const content = contentOf(message)
    const last = merged.at(-1)
    if (content.length === 0) continue
    if (last?.role === role) last.content.push(...content)
    else merged.push({ role, content })
  }
  const last = merged.at(-1)
  if (last?.role === 'assistant') last.content = last.content.map(withoutTrailingSpace)
  return merged
}

/** The API refuses an answer to be continued that ends in white space. */
const withoutTrailingSpace = (block: UnknownRecord): UnknownRecord =>
  block.type === 'text' ? { ...block, text: String(block.text).trimEnd() } : block

function contentOf(message: UnknownRecord): UnknownRecord[] {
  const { role, content, tool_call_id: id, reasoning_details: details } = message
  const blocks = blocksFromChat(content)
  if (role === 'tool') return [toolResult(id, blocks)]
  if (role !== 'assistant') return blocks
  const calls = recordsIn(message.tool_calls).map((call) => {
    const { name, arguments: text } = isRecord(call.function) ? call.function : {}
    return { type: 'tool_use', id: toolId(call.id), name, input: inputOf(text) }
  })
  const refusal = blocksFromChat(message.refusal)
  return [...thinkingFromChat(recordsIn(details)), ...blocks, ...refusal, ...calls]
}

/**
 * A result. A mark of the cache on its end is one on all of it, which is where the API takes it.
 */
function toolResult(id: unknown, blocks: readonly UnknownRecord[]): UnknownRecord {
  const cache = blocks.at(-1)?.cache_control
  const content = blocks.map(({ cache_control: _cache, ...block }) => block)
  return {
    type: 'tool_result',
    tool_use_id: toolId(id),
    ...(content.length > 0 && { content }),
    ...(cache != null && { cache_control: cache }),
  }
}

/** Ids of calls have fewer characters here than those of other providers. */
const toolId = (id: unknown): string => String(id).replaceAll(/[^\w-]/g, '_')

function formatFromChat({ response_format: format }: CompletionBody): CompletionBody {
  if (!isRecord(format) || format.type === 'text') return {}
  const { json_schema: given } = format
  // The API has no such form: what a model is asked instead is decided by its abilities.
  if (format.type === 'json_object') return { output_config: { format: { type: 'json_object' } } }
  if (format.type !== 'json_schema' || !isRecord(given)) {
    const message = 'must be json_object, or json_schema with the schema of the answer'
    throw invalidRequest([{ path: ['response_format', 'type'], message }])
  }
  return { output_config: { format: { type: 'json_schema', schema: given.schema ?? {} } } }
}
