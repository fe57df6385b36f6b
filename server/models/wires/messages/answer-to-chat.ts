import { isRecord, recordsIn, type UnknownRecord } from '../../../kit/record'
import type { CompletionChunk } from '../../completion'
import { writeUsage } from '../chat/usage'
import { makeMessagesFactsReader } from './facts'
import { isThinking, redactedDetail, thinkingDetail } from './reasoning'
import { finishReasonOfMessage } from './stop-reason'
import { readMessagesUsage } from './usage'

const now = () => Math.floor(Date.now() / 1000)

/** A message as a chat completion. */
export function messageToCompletion(answer: CompletionChunk): CompletionChunk {
  const blocks = recordsIn(answer.content)
  const text = joined(blocks, 'text')
  const calls = blocks.filter(({ type }) => type === 'tool_use')
  const thinking = blocks.filter(isThinking)
  const reasoning = joined(thinking, 'thinking')
  const usage = readMessagesUsage(answer.usage)
  return {
    id: answer.id,
    object: 'chat.completion',
    created: now(),
    model: answer.model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: text === '' && calls.length > 0 ? null : text,
          refusal: null,
          ...(reasoning !== '' && { reasoning }),
          ...(thinking.length > 0 && { reasoning_details: thinking.map(detailOf) }),
          ...(calls.length > 0 && { tool_calls: calls.map(callOf) }),
        },
        logprobs: null,
        finish_reason: finishReasonOfMessage(answer.stop_reason),
      },
    ],
    ...(usage && { usage: writeUsage(usage) }),
  }
}

const joined = (blocks: readonly UnknownRecord[], field: string): string =>
  blocks.map((block) => (typeof block[field] === 'string' ? block[field] : '')).join('')

const detailOf = ({ type, thinking, signature, data }: UnknownRecord, index: number): UnknownRecord =>
  type === 'redacted_thinking' ? redactedDetail(index, data) : thinkingDetail(index, { text: thinking, signature })

const callOf = ({ id, name, input }: UnknownRecord) => ({
  id,
  type: 'function',
  function: { name, arguments: JSON.stringify(input ?? {}) },
})

/** Translates the events of one stream into chunks of a chat completion. */
export function makeMessageTranslator(): (event: CompletionChunk) => CompletionChunk[] {
  const readFacts = makeMessagesFactsReader()
  const calls = new Map<unknown, number>()
  let head: UnknownRecord = { object: 'chat.completion.chunk', created: now() }
  const chunk = (delta: UnknownRecord | null, finish_reason: string | null = null): CompletionChunk[] =>
    delta ? [{ ...head, choices: [{ index: 0, delta, logprobs: null, finish_reason }] }] : []
  return (event) => {
    const { type, message, content_block: block, delta, index } = event
    const { usage } = readFacts(event)
    if (type === 'message_start' && isRecord(message)) {
      head = { id: message.id, ...head, model: message.model }
      return chunk({ role: 'assistant', content: '' })
    }
    if (type === 'content_block_start' && isRecord(block)) {
      if (block.type === 'tool_use') calls.set(index, calls.size)
      return chunk(startDelta(block, Number(index), calls.get(index)))
    }
    if (type === 'content_block_delta' && isRecord(delta))
      return chunk(pieceDelta(delta, Number(index), calls.get(index)))
    if (type !== 'message_delta' || !isRecord(delta)) return []
    const ended = delta.stop_reason ? chunk({}, finishReasonOfMessage(delta.stop_reason)) : []
    return [...ended, ...(usage ? [{ ...head, choices: [], usage: writeUsage(usage) }] : [])]
  }
}

/** What the first event of a block says. Some providers send a whole block in it. */
function startDelta(block: UnknownRecord, index: number, call: number | undefined): UnknownRecord | null {
  const { type, id, name, input, data } = block
  if (type === 'redacted_thinking') return { reasoning_details: [redactedDetail(index, data)] }
  if (type === 'tool_use') {
    const text = isRecord(input) && Object.keys(input).length > 0 ? JSON.stringify(input) : ''
    return { tool_calls: [{ index: call, id, type: 'function', function: { name, arguments: text } }] }
  }
  return pieceDelta(block, index, call)
}

function pieceDelta(delta: UnknownRecord, index: number, call: number | undefined): UnknownRecord | null {
  const { text, thinking, signature, partial_json: json } = delta
  if (typeof text === 'string' && text !== '') return { content: text }
  if (typeof thinking === 'string' && thinking !== '')
    return { reasoning: thinking, reasoning_details: [thinkingDetail(index, { text: thinking })] }
  if (typeof signature === 'string' && signature !== '')
    return { reasoning_details: [thinkingDetail(index, { signature })] }
  if (typeof json === 'string' && json !== '' && call !== undefined)
    return { tool_calls: [{ index: call, function: { arguments: json } }] }
  return null
}
