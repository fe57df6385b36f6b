import type { EventEmitter } from 'node:events'
import type { SiblingMessage } from '../../kit/siblings'

/**
 * Interrupts within this time are one press of Ctrl-C, which the terminal, npm and a launcher may
 * each deliver.
 */
const SAME_PRESS_MS = 1_000

/** A request to stop, and whether it has become urgent. Any number of signals make one request. */
export type StopRequest = {
  /**
   * Resolves to what asked first: a signal's name, `disconnect`, or `leave` where another process
   * took over.
   */
  asked: Promise<string>
  /** Aborts at the same moment. */
  signal: AbortSignal
  /** Aborts at a second Ctrl-C, which is for those who do not want to wait. */
  hurry: AbortSignal
}

/**
 * Says when somebody wants this process to stop: Ctrl-C, SIGTERM, a closed terminal, or a launcher
 * that has ended. A repeated signal changes nothing, because supervisors, npm and process groups
 * deliver the same one several times; only a second Ctrl-C sets `hurry`.
 */
export function listenForStop(from: EventEmitter = process, now = () => performance.now()): StopRequest {
  const stop = new AbortController()
  const hurry = new AbortController()
  let pressedAt: number | undefined
  const asked = new Promise<string>((resolve) => {
    const ask = (why: string) => {
      stop.abort()
      resolve(why)
    }
    for (const name of ['SIGTERM', 'SIGHUP'] as const) from.on(name, () => ask(name))
    from.on('SIGINT', () => {
      if (pressedAt !== undefined && now() - pressedAt > SAME_PRESS_MS) hurry.abort()
      pressedAt ??= now()
      ask('SIGINT')
    })
    from.on('disconnect', () => ask('disconnect'))
    from.on('message', (message: Partial<SiblingMessage> | null) => message?.kind === 'leave' && ask('leave'))
  })
  // Listening for the end of the launcher must not keep a process up that has nothing else to do.
  process.channel?.unref()
  return { asked, signal: stop.signal, hurry: hurry.signal }
}

/** Resolves when a signal aborts. */
export const waitForAbort = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
