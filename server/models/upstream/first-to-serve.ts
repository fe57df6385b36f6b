import { AppError } from '../../errors'
import type { CallModelOptions } from '../completion'
import { type MeasuredUpstreamCall, measureUpstreamCall } from '../metrics'
import type { Model, Upstream } from '../shape'
import { allUpstreamsFailed, asUpstreamFailure, callerError, logUpstreamFailure, type UpstreamFailure } from './failure'
import { outcomeOf } from './outcome'
import { type ExchangeTimer, startExchangeTimer } from './timer'

/** Asks one upstream within a timer; null where it does not speak what is asked. */
type Serve<T> = (upstream: Upstream, timer: ExchangeTimer, measured: MeasuredUpstreamCall) => Promise<T> | null

/**
 * Asks a model's upstreams in order until one serves. Throws `invalid_request` for an error of the
 * caller's (400, 413, 422) and for what no upstream can carry, `upstream_error` when all failed
 * (with `retryAfter` if one named it), and the signal's reason when it aborts.
 */
export async function firstToServe<T>(
  model: Model,
  { signal, sent, logged }: Pick<CallModelOptions, 'signal' | 'sent' | 'logged'>,
  serve: Serve<T>,
): Promise<T> {
  const failures: UpstreamFailure[] = []
  let refusal: AppError | undefined
  for (const upstream of model.upstreams) {
    signal.throwIfAborted()
    if (sent) sent.accepted = false
    const timer = startExchangeTimer(signal)
    const measured = measureUpstreamCall(model, upstream)
    try {
      const serving = serve(upstream, timer, measured)
      if (serving) {
        const served = await serving
        measured.served()
        return served
      }
      timer.end()
    } catch (error) {
      timer.cut()
      if (signal.aborted) measured.failed('cancelled')
      signal.throwIfAborted()
      // Another upstream may speak a wire that carries it.
      if (error instanceof AppError && error.code === 'invalid_request') {
        refusal ??= error
        continue
      }
      const failure = asUpstreamFailure(error)
      measured.failed(outcomeOf(failure))
      const refused = callerError(failure, model.id, upstream)
      if (refused) throw refused
      failures.push(failure)
      logUpstreamFailure(failure, { model: model.id, upstream, logged })
    }
  }
  if (refusal && failures.length === 0) throw refusal
  throw allUpstreamsFailed(model.id, failures)
}
