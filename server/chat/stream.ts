import { AppError } from '../errors'
import type { CompletionBill } from '../models/bill'
import type { CompletionEvent } from '../models/completion'
import { openStreamReader } from '../models/upstream/stream-reader'
import type { BilledEvent, PieceWriter, StreamPiece } from '../models/wires/wire'
import { type CallOutcome, type HeldCall, settleCall } from './settle'
import { openStreamRecord, type StreamRecord } from './stream-record'

export const CLIENT_DISCONNECTED = 'The client disconnected.'

/** How a stream ends for who asks for it again after its client disconnected. */
const endedEarly = () =>
  new AppError(
    'conflict',
    'The client disconnected before this stream had ended: what came until then was delivered and charged. Use a new Idempotency-Key for a whole answer.',
  )

/** A call whose answer is streamed. `record`: null where nothing is stored. */
export type StreamedCall = HeldCall & { write: PieceWriter; record: StreamRecord | null }

/** A held call that is about to be streamed. */
export const openStreamedCall = (call: HeldCall, write: PieceWriter): StreamedCall => ({
  ...call,
  write,
  record: call.held.keep ? openStreamRecord() : null,
})

type Ending = (bill: CompletionBill, charged: number) => BilledEvent

/** What is stored of a stream whose client disconnected; undefined where nothing is. */
export const disconnectedAnswer = ({ write, record }: Pick<StreamedCall, 'write' | 'record'>): CallOutcome['answer'] =>
  record ? (_bill, charged) => record.answer(write({ kind: 'error', error: endedEarly(), charged })) : undefined

/**
 * An upstream's stream as its client gets it, with the charge at the end. Settles once, when the
 * stream ends: at the reported usage, or, where none comes or the client disconnects, at what was
 * counted. Returning from it early cancels the upstream.
 */
export async function* billedStream(
  call: StreamedCall,
  source: AsyncIterable<CompletionEvent>,
  cancel: AbortController,
): AsyncGenerator<StreamPiece> {
  const { write, record } = call
  const reader = openStreamReader(source, call.plan.n)
  let isSettled = false
  let firstTokenMs: number | undefined
  /** Settles, with what ends the stream in the stored answer, and returns it. */
  const settle = async (outcome: CallOutcome, ending: Ending): Promise<StreamPiece[]> => {
    isSettled = true
    let last: StreamPiece[] = []
    const answer = (bill: CompletionBill, known: number) => {
      last = write(ending(bill, known))
      return record?.answer(last) ?? null
    }
    const { charged } = await settleCall(call, reader.usage(), { ...outcome, firstTokenMs, answer })
    return last.map((piece) => (piece.charged === undefined ? piece : { ...piece, charged }))
  }
  try {
    for (let event = await reader.next(); event !== null; event = await reader.next()) {
      if (event.kind === 'error') {
        const { error } = event
        yield* await settle({ status: 'failed', error: error.message }, (_, charged) => ({
          kind: 'error',
          error,
          charged,
        }))
        return
      }
      if (event.facts.texts.length > 0) firstTokenMs ??= Math.round(performance.now() - call.startedAt)
      call.delivered.addTexts(event.facts.texts)
      call.log?.addTexts(event.facts.texts)
      for (const piece of write(event)) {
        record?.add(piece)
        yield piece
      }
    }
    yield* await settle({ status: 'ok' }, (bill, charged) => ({ kind: 'end', bill, charged }))
  } catch (error) {
    if (!cancel.signal.aborted) throw error
  } finally {
    // A stream read to its end leaves its connection for the next call; any other is closed.
    if (!reader.isDrained())
      cancel.abort(new AppError('conflict', CLIENT_DISCONNECTED, { reason: 'client_disconnected' }))
    if (!isSettled) {
      const answer = disconnectedAnswer(call)
      await settleCall(call, reader.usage(), { status: 'failed', error: CLIENT_DISCONNECTED, firstTokenMs, answer })
    }
    await reader.close()
  }
}
