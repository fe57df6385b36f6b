import { AppError } from '../errors'
import type { CompletionEvent } from '../models/completion'
import { openStreamReader } from '../models/upstream/stream-reader'
import type { BilledEvent } from '../models/wires/wire'
import { type CallOutcome, type HeldCall, settleCall } from './settle'

export const CLIENT_DISCONNECTED = 'The client disconnected.'

/**
 * An upstream's stream with its bill at the end. Settles once, when the stream ends: at the
 * reported usage, or, where none comes or the client disconnects, at what was counted. Returning
 * from it early cancels the upstream.
 */
export async function* billedStream(
  call: HeldCall,
  source: AsyncIterable<CompletionEvent>,
  cancel: AbortController,
): AsyncGenerator<BilledEvent> {
  const reader = openStreamReader(source, call.plan.n)
  let isSettled = false
  const settle = (outcome: CallOutcome) => {
    isSettled = true
    return settleCall(call, reader.usage(), outcome)
  }
  try {
    for (let event = await reader.next(); event !== null; event = await reader.next()) {
      if (event.kind === 'error') {
        const { charged } = await settle({ status: 'failed', error: event.error.message })
        yield { kind: 'error', error: event.error, charged }
        return
      }
      call.delivered.addTexts(event.facts.texts)
      call.log?.addTexts(event.facts.texts)
      yield event
    }
    yield { kind: 'end', ...(await settle({ status: 'ok' })) }
  } catch (error) {
    if (!cancel.signal.aborted) throw error
  } finally {
    // A stream read to its end leaves its connection for the next call; any other is closed.
    if (!reader.isDrained()) cancel.abort(new AppError('conflict', CLIENT_DISCONNECTED))
    if (!isSettled) await settle({ status: 'failed', error: CLIENT_DISCONNECTED })
    await reader.close()
  }
}
