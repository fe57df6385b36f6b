import { isRecord, type UnknownRecord } from '../../../kit/record'
import type { CompletionBill } from '../../bill'
import type { CompletionChunk, WireAnswer } from '../../completion'
import { makeBlockWriter } from './block-writer'
import { firstChoice, inputOf, messageId, messageStart, stopSequenceOf } from './message'
import { stopReasonOf } from './stop-reason'
import { writeMessagesUsage } from './usage'

type Asked = { id: string; model: string; stopSequences: unknown }

/**
 * A billed answer as a message: an upstream's own with our model id, or one made from chat form.
 */
export function writeMessage({ wire, body }: WireAnswer, bill: CompletionBill, asked: Asked): UnknownRecord {
  if (wire !== 'messages') return { ...messageOf(body, asked), usage: writeMessagesUsage(bill.usage) }
  const usage = bill.estimated ? writeMessagesUsage(bill.usage) : body.usage
  return { ...body, model: asked.model, usage }
}

function messageOf(answer: CompletionChunk, { id, model, stopSequences }: Asked): UnknownRecord {
  const choice = firstChoice(answer) ?? {}
  const message = isRecord(choice.message) ? choice.message : {}
  const blocks = makeBlockWriter()
  const content = contentOf([...blocks.write(message), ...blocks.end()])
  const ended = { finishReason: choice.finish_reason, hasCalls: blocks.hasCalls(), isRefusal: Boolean(message.refusal) }
  const stopSequence = stopSequenceOf(choice, stopSequences)
  return {
    ...messageStart(messageId(answer, id), model),
    content,
    stop_reason: stopSequence === null ? stopReasonOf(ended) : 'stop_sequence',
    stop_sequence: stopSequence,
  }
}

/** The content blocks that events build. */
function contentOf(events: readonly UnknownRecord[]): UnknownRecord[] {
  const content: UnknownRecord[] = []
  let json = ''
  for (const { type, content_block: block, delta } of events) {
    const open = content.at(-1)
    if (type === 'content_block_start' && isRecord(block)) {
      content.push({ ...block })
      json = ''
    } else if (type === 'content_block_delta' && isRecord(delta) && open) {
      if (delta.type === 'text_delta') open.text = String(open.text) + String(delta.text)
      else if (delta.type === 'thinking_delta') open.thinking = String(open.thinking) + String(delta.thinking)
      else if (delta.type === 'signature_delta') open.signature = delta.signature
      else json += String(delta.partial_json)
    } else if (type === 'content_block_stop' && open?.type === 'tool_use') open.input = inputOf(json)
  }
  return content
}
