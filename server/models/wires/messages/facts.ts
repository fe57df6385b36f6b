import { isRecord, recordsIn, type UnknownRecord } from '../../../kit/record'
import type { ChunkFacts, CompletionChunk, WrittenText } from '../../completion'
import { readMessagesUsage } from './usage'

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

/**
 * The texts of a block, or of the first part of one: what the model wrote, its reasoning, its call.
 */
function textsOfBlock(block: UnknownRecord, index: unknown): WrittenText[] {
  const { input } = block
  const json = isRecord(input) && Object.keys(input).length > 0 ? JSON.stringify(input) : ''
  return [
    { lane: `${index} text`, text: block.text },
    { lane: `${index} thinking`, text: block.thinking },
    { lane: `${index} name`, text: block.type === 'tool_use' ? block.name : '' },
    { lane: `${index} json`, text: json },
  ].flatMap(({ lane, text }) => (isText(text) ? [{ lane, text }] : []))
}

const textsOfDelta = ({ text, thinking, partial_json: json }: UnknownRecord, index: unknown): WrittenText[] =>
  [
    { lane: `${index} text`, text },
    { lane: `${index} thinking`, text: thinking },
    { lane: `${index} json`, text: json },
  ].flatMap(({ lane, text: written }) => (isText(written) ? [{ lane, text: written }] : []))

function textsIn({ type, content, content_block: block, delta, index }: CompletionChunk): WrittenText[] {
  if (type === 'message') return recordsIn(content).flatMap((each, i) => textsOfBlock(each, i))
  if (type === 'content_block_start' && isRecord(block)) return textsOfBlock(block, index)
  return type === 'content_block_delta' && isRecord(delta) ? textsOfDelta(delta, index) : []
}

const withoutNull = (usage: UnknownRecord): UnknownRecord =>
  Object.fromEntries(Object.entries(usage).filter(([, value]) => value !== null))

/**
 * Reads an answer, or the events of one stream. The first event says what the prompt took and the
 * last what the answer did, some providers there again the prompt: usage is known at the last.
 */
export function makeMessagesFactsReader(): (chunk: CompletionChunk) => ChunkFacts {
  let prompt: UnknownRecord = {}
  return (chunk) => {
    const { type, message, delta, usage } = chunk
    if (type === 'message_start' && isRecord(message) && isRecord(message.usage)) prompt = withoutNull(message.usage)
    const isEnd = type === 'message_delta' && isRecord(delta) && Boolean(delta.stop_reason)
    const counted = type === 'message_delta' && isRecord(usage) ? { ...prompt, ...withoutNull(usage) } : null
    return {
      usage: readMessagesUsage(type === 'message' ? usage : counted),
      texts: textsIn(chunk),
      endedChoices: isEnd || type === 'message' ? [0] : [],
      isEmpty: type === 'ping' || type === 'message_start',
    }
  }
}

/** True for an event with output, false for one that only begins a message or a block of text. */
export function hasMessageOutput(chunk: CompletionChunk): boolean {
  const { type, content_block: block, delta } = chunk
  if (type === 'content_block_start' && isRecord(block))
    return (block.type !== 'text' && block.type !== 'thinking') || textsIn(chunk).length > 0
  if (type === 'content_block_delta') return textsIn(chunk).length > 0
  return type === 'message_delta' && isRecord(delta) && Boolean(delta.stop_reason)
}
