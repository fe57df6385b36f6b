import 'server-only'
import { headers } from 'next/headers'
import { notFound } from 'next/navigation'
import { clientDisconnectSignal } from '../kit/client-gone'
import { makeContext } from './context'
import { appRouter } from './router'
import { createCallerFactory } from './trpc'

const createCaller = createCallerFactory(appRouter)

/**
 * The dashboard's procedures for server components and route handlers, for whoever is signed in.
 * Once the client has disconnected they fail as not found, which Next does not log.
 */
export async function dashboardCaller() {
  const signal = clientDisconnectSignal()
  const onError = () => {
    if (signal?.aborted) notFound()
  }
  return createCaller(makeContext({ headers: await headers(), via: 'session', signal }), { onError })
}

/** The public procedures for pages that anyone may read: no session, and no key. */
export const publicCaller = async () => createCaller(makeContext({ headers: new Headers(), via: 'key' }))
