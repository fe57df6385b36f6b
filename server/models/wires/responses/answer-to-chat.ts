import { isRecord, recordsIn, type UnknownRecord } from '../../../kit/record'
import type { CompletionChunk } from '../../completion'
import { reasoningDetails, reasoningText } from './reasoning'
import { usageToChat } from './usage'

/** Why a choice of chat form ends, by what a response says of itself. */
export function finishReasonOf({ incomplete_details: details, output }: UnknownRecord): string {
  const reason = isRecord(details) ? details.reason : undefined
  if (reason === 'content_filter') return reason
  if (reason != null) return 'length'
  const isCalling = recordsIn(output).some(({ type }) => type === 'function_call' || type === 'custom_tool_call')
  return isCalling ? 'tool_calls' : 'stop'
}

/** A call in chat form; null for any other item. */
export function callToChat(item: UnknownRecord): UnknownRecord | null {
  const { type, call_id, id, name } = item
  if (type === 'function_call')
    return { id: call_id ?? id, type: 'function', function: { name, arguments: item.arguments ?? '' } }
  if (type === 'custom_tool_call')
    return { id: call_id ?? id, type: 'custom', custom: { name, input: item.input ?? '' } }
  return null
}

/** Texts of one kind in the messages of an output. */
const said = (output: readonly UnknownRecord[], type: string, field: string): string =>
  output
    .flatMap(({ content }) => recordsIn(content))
    .filter((part) => part.type === type)
    .map((part) => String(part[field] ?? ''))
    .join('')

/** A response as a chat completion. */
export function responseToChat(response: CompletionChunk): CompletionChunk {
  const output = recordsIn(response.output)
  const thoughts = output.filter(({ type }) => type === 'reasoning')
  const messages = output.filter(({ type }) => type === 'message')
  const reasoning = thoughts.map(reasoningText).filter(Boolean).join('\n\n')
  const details: UnknownRecord[] = []
  for (const item of thoughts) details.push(...reasoningDetails(item, details.length))
  const calls = output.map(callToChat).filter((call) => call !== null)
  const text = said(messages, 'output_text', 'text')
  const logprobs = messages
    .flatMap(({ content }) => recordsIn(content))
    .flatMap((part) => (Array.isArray(part.logprobs) ? part.logprobs : []))
  const usage = usageToChat(response.usage)
  return {
    id: response.id,
    object: 'chat.completion',
    created: response.created_at,
    model: response.model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: text === '' && calls.length > 0 ? null : text,
          refusal: said(messages, 'refusal', 'refusal') || null,
          ...(reasoning !== '' && { reasoning }),
          ...(details.length > 0 && { reasoning_details: details }),
          ...(calls.length > 0 && { tool_calls: calls }),
        },
        logprobs: logprobs.length > 0 ? { content: logprobs, refusal: null } : null,
        finish_reason: finishReasonOf(response),
      },
    ],
    ...(usage && { usage }),
  }
}
