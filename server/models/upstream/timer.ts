/** A clock over one exchange: aborts `signal` when its time is up, when the caller's signal aborts, or on `cut`. */
export type ExchangeTimer = {
  signal: AbortSignal
  /** Starts the clock anew: `what` names in the error what did not come. */
  arm: (ms: number, what: string) => void
  /** Stops the clock: nothing is being waited for. */
  rest: () => void
  /** Ends the exchange now. */
  cut: () => void
  /** Lets go of the caller's signal; the exchange is over. */
  end: () => void
}

export class UpstreamTimeout extends Error {}

/** Watches an exchange that also ends with the caller's signal. */
export function startExchangeTimer(caller: AbortSignal): ExchangeTimer {
  const own = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const abort = () => own.abort(caller.reason)
  if (caller.aborted) abort()
  else caller.addEventListener('abort', abort, { once: true })
  const rest = () => clearTimeout(timer)
  const end = () => {
    rest()
    caller.removeEventListener('abort', abort)
  }
  return {
    signal: own.signal,
    arm: (ms, what) => {
      rest()
      timer = setTimeout(() => own.abort(new UpstreamTimeout(`no ${what} within ${ms} ms`)), ms)
    },
    rest,
    cut: () => {
      end()
      own.abort(new Error('cut'))
    },
    end,
  }
}
