import { getSession } from '../accounts/session'
import type { Session } from '../accounts/shape'
import { currentPageRequest } from '../kit/page-request'
import { makeContext } from './context'
import { appRouter } from './router'
import { createCallerFactory } from './trpc'

const createCaller = createCallerFactory(appRouter)

/**
 * The dashboard's procedures for a page, as whoever is signed in by these headers. `onDisconnect`
 * is called when a procedure fails after the client has disconnected; what it throws replaces the
 * error.
 */
export function dashboardCaller(headers: Headers, onDisconnect: () => void) {
  const signal = currentPageRequest()?.signal
  const onError = () => {
    if (signal?.aborted) onDisconnect()
  }
  return createCaller(makeContext({ headers, via: 'session', signal }), { onError })
}

/** The public procedures for pages that anyone may read: no session, and no key. */
export const publicCaller = () => createCaller(makeContext({ headers: new Headers(), via: 'key' }))

/** Who is signed in by these headers; null when nobody is. */
export const findSession = (headers: Headers): Promise<Session | null> => getSession(headers)
