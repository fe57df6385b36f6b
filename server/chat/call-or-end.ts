import { voidHold } from '../credits/settle'
import { AppError } from '../errors'
import type { CallModelOptions } from '../models/completion'
import { type CallOutcome, type HeldCall, type PricedPrompt, settleCall } from './settle'
import { CLIENT_DISCONNECTED } from './stream'

/** A controller that aborts when the client disconnects. */
export function cancelOn(signal: AbortSignal | null): AbortController {
  const cancel = new AbortController()
  const abort = () => cancel.abort(new AppError('conflict', CLIENT_DISCONNECTED, { reason: 'client_disconnected' }))
  signal?.addEventListener('abort', abort, { once: true })
  if (signal?.aborted) abort()
  return cancel
}

/**
 * Calls the model. A call that brought nothing is void, or, when the client disconnected from an
 * upstream at work, charged for the prompt, with `answer` stored; then it throws.
 */
export async function callOrEnd<T>(
  { answer, ...call }: HeldCall<PricedPrompt> & Pick<CallOutcome, 'answer'>,
  { signal }: AbortController,
  ask: (options: Pick<CallModelOptions, 'signal' | 'sent' | 'logged'>) => Promise<T>,
): Promise<T> {
  const sent = { accepted: false }
  try {
    return await ask({ signal, sent, logged: { requestId: call.id, owner: call.ownerId } })
  } catch (error) {
    if (error === signal.reason && sent.accepted) {
      await settleCall(call, null, { status: 'failed', error: CLIENT_DISCONNECTED, answer })
    } else {
      const message = error instanceof AppError ? error.message : 'The model call failed.'
      await voidHold(
        { ...call, held: call.held.amount },
        { durationMs: Math.round(performance.now() - call.startedAt), error: message },
      )
      call.log?.end({ error: message })
    }
    throw error
  }
}
