import { isRecord, type UnknownRecord } from '../../../kit/record'
import type { CompletionChunk } from '../../completion'
import type { BilledEvent, PieceWriter } from '../wire'
import { makeBlockWriter } from './block-writer'
import { firstChoice, messageId, messageStart, stopSequenceOf } from './message'
import { stopReasonOf } from './stop-reason'
import { writeMessagesUsage } from './usage'

export type MessagesStreamOptions = {
  /** The request's id, for a message that no upstream named. */
  id: string
  /** Our model id. */
  model: string
  /** The request's `stop_sequences`. */
  stopSequences: unknown
}

type EndEvent = Extract<BilledEvent, { kind: 'end' }>

/** Turns the chunks of one wire into events. */
type EventWriter = {
  write: (chunk: CompletionChunk) => UnknownRecord[]
  /** What waited, after an error. */
  release: () => UnknownRecord[]
  /** The last events before `message_stop`. */
  end: (end: EndEvent) => UnknownRecord[]
}

/**
 * A billed stream as message events: those of an upstream of this wire as they came, others made
 * from chat chunks; our model id, and the charge on `message_stop`.
 */
export function openMessagesStream(options: MessagesStreamOptions): PieceWriter {
  let writer: EventWriter | null = null
  return (event) => {
    if (event.kind === 'error') return [...(writer?.release() ?? []).map(pieceOf), { ...event, event: 'error' }]
    if (event.kind === 'chunk') {
      writer ??= event.wire === 'messages' ? passOn(options) : translate(options)
      return writer.write(event.chunk).map(pieceOf)
    }
    writer ??= translate(options)
    return [...writer.end(event).map(pieceOf), { ...pieceOf({ type: 'message_stop' }), charged: event.charged }]
  }
}

const pieceOf = (chunk: UnknownRecord) => ({ kind: 'chunk' as const, event: String(chunk.type), chunk })

/** Passes native events on. What ends the message waits until its usage is known to be right. */
function passOn({ id, model }: MessagesStreamOptions): EventWriter {
  const waiting: UnknownRecord[] = []
  const release = () => waiting.splice(0)
  return {
    release,
    // Only we may name a charge.
    write: ({ service: _service, ...chunk }) => {
      if (chunk.type === 'message_start' && isRecord(chunk.message))
        return [{ ...chunk, message: { id: messageId({}, id), ...chunk.message, model } }]
      if (chunk.type !== 'message_delta' && waiting.length === 0) return [chunk]
      waiting.push(chunk)
      return []
    },
    end: ({ bill }) => {
      const usage = writeMessagesUsage(bill.usage)
      const ended = release()
      if (ended.length === 0) return [messageDelta('end_turn', null, usage)]
      return ended.map((chunk, i) => (bill.estimated && i === ended.length - 1 ? { ...chunk, usage } : chunk))
    },
  }
}

/** Makes events from chat chunks. Why the message ended and its usage come last. */
function translate({ id, model, stopSequences }: MessagesStreamOptions): EventWriter {
  const blocks = makeBlockWriter()
  const ended = { finishReason: null as unknown, stopSequence: null as string | null, isRefusal: false }
  let isStarted = false
  const start = (chunk: CompletionChunk): UnknownRecord[] => {
    if (isStarted) return []
    isStarted = true
    return [{ type: 'message_start', message: messageStart(messageId(chunk, id), model) }, { type: 'ping' }]
  }
  return {
    release: () => [],
    write: (chunk) => {
      const choice = firstChoice(chunk)
      if (!choice) return []
      const delta = isRecord(choice.delta) ? choice.delta : {}
      ended.finishReason = choice.finish_reason || ended.finishReason
      ended.stopSequence ??= stopSequenceOf(choice, stopSequences)
      ended.isRefusal ||= Boolean(delta.refusal)
      return [...start(chunk), ...blocks.write(delta)]
    },
    end: ({ bill }) => {
      const last = blocks.end()
      const reason =
        ended.stopSequence === null ? stopReasonOf({ ...ended, hasCalls: blocks.hasCalls() }) : 'stop_sequence'
      return [...start({}), ...last, messageDelta(reason, ended.stopSequence, writeMessagesUsage(bill.usage))]
    },
  }
}

const messageDelta = (reason: string, stopSequence: string | null, usage: UnknownRecord): UnknownRecord => ({
  type: 'message_delta',
  delta: { stop_reason: reason, stop_sequence: stopSequence },
  usage,
})
