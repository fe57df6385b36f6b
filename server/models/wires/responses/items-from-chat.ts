import { invalidRequest } from '../../../errors'
import { isRecord, recordsIn, type UnknownRecord } from '../../../kit/record'
import type { BodyPath, CompletionBody } from '../../completion'
import { reasoningFromChat } from './reasoning'

const cannotTake = (path: BodyPath, what: string) =>
  invalidRequest([{ path, message: `${what} cannot be sent to this model, whose provider has the responses API` }])

function partFromChat(part: UnknownRecord, path: BodyPath): UnknownRecord {
  switch (part.type) {
    case 'text':
      return { type: 'input_text', text: part.text }
    case 'image_url': {
      const { image_url: image } = part
      const { url, detail } = isRecord(image) ? image : { url: image, detail: undefined }
      return { type: 'input_image', image_url: url, detail: detail ?? 'auto' }
    }
    case 'file':
      return { type: 'input_file', ...(isRecord(part.file) ? part.file : {}) }
    case 'input_audio':
      return { type: 'input_audio', input_audio: part.input_audio }
    default:
      throw cannotTake([...path, 'type'], String(part.type))
  }
}

const contentFromChat = (content: unknown, path: BodyPath): unknown =>
  Array.isArray(content) ? recordsIn(content).map((part, i) => partFromChat(part, [...path, i])) : (content ?? '')

/** What an assistant said, as one text. */
function spokenText({ content, refusal }: UnknownRecord): string {
  const said =
    typeof content === 'string'
      ? content
      : recordsIn(content)
          .map(({ text, refusal: refused }) => String(text ?? refused ?? ''))
          .join('')
  return said || (typeof refusal === 'string' ? refusal : '')
}

function callFromChat({ id, function: called, custom }: UnknownRecord): UnknownRecord {
  if (isRecord(custom)) return { type: 'custom_tool_call', call_id: id, name: custom.name, input: custom.input }
  const { name, arguments: args } = isRecord(called) ? called : {}
  return { type: 'function_call', call_id: id, name, arguments: args ?? '{}' }
}

function answerItems(message: UnknownRecord): UnknownRecord[] {
  const text = spokenText(message)
  return [
    ...reasoningFromChat(message.reasoning_details),
    ...(text === '' ? [] : [{ type: 'message', role: 'assistant', content: text }]),
    ...recordsIn(message.tool_calls).map(callFromChat),
  ]
}

/**
 * The messages of a chat body as items. Throws `invalid_request` for parts that items do not have.
 */
export function itemsFromChat({ messages }: CompletionBody): UnknownRecord[] {
  const customCalls = new Set<unknown>()
  return recordsIn(messages).flatMap((message, i) => {
    const path: BodyPath = ['messages', i, 'content']
    if (message.role === 'assistant') {
      const items = answerItems(message)
      for (const { type, call_id } of items) if (type === 'custom_tool_call') customCalls.add(call_id)
      return items
    }
    if (message.role === 'tool') {
      const { tool_call_id: call_id } = message
      const type = customCalls.has(call_id) ? 'custom_tool_call_output' : 'function_call_output'
      return [{ type, call_id, output: contentFromChat(message.content, path) }]
    }
    if (message.role === 'function') throw cannotTake(['messages', i, 'role'], 'a message of the role function')
    return [{ type: 'message', role: message.role, content: contentFromChat(message.content, path) }]
  })
}
