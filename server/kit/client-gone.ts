import { AsyncLocalStorage } from 'node:async_hooks'
import { processSingleton } from './process-singleton'

const store = () => processSingleton('clientGone', () => new AsyncLocalStorage<AbortSignal>())

/** Runs `serve`, in which `clientGone` is `signal`: what a page does for a request ends when its client disconnects. */
export const withDisconnectSignal = <T>(signal: AbortSignal, serve: () => T): T => store().run(signal, serve)

/** Aborts when the client of the request that is being served disconnects; undefined where nobody can tell. */
export const clientDisconnectSignal = (): AbortSignal | undefined => store().getStore()
