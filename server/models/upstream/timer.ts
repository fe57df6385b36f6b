/**
 * A time limit over one exchange: aborts `signal` when time is up, when the caller aborts, or on
 * `cut`.
 */
export type ExchangeTimer = {
  signal: AbortSignal
  /** Starts the time anew. `what` names in the error what did not come. */
  restart: (ms: number, what: string) => void
  /** Stops the time: nothing is being waited for. */
  pause: () => void
  /** Ends the exchange now and closes its socket. */
  cut: () => void
  /** The exchange is over: detaches from the caller's signal. */
  end: () => void
}

export class UpstreamTimeout extends Error {}

/** The timer of an exchange that also ends when `caller` aborts. */
export function startExchangeTimer(caller: AbortSignal): ExchangeTimer {
  const exchange = new AbortController()
  let timeout: NodeJS.Timeout | undefined
  const abort = () => exchange.abort(caller.reason)
  if (caller.aborted) abort()
  else caller.addEventListener('abort', abort, { once: true })
  const pause = () => clearTimeout(timeout)
  const end = () => {
    pause()
    caller.removeEventListener('abort', abort)
  }
  return {
    signal: exchange.signal,
    restart: (ms, what) => {
      pause()
      timeout = setTimeout(() => exchange.abort(new UpstreamTimeout(`no ${what} within ${ms} ms`)), ms)
    },
    pause,
    cut: () => {
      end()
      exchange.abort(new Error('the exchange was cut'))
    },
    end,
  }
}
