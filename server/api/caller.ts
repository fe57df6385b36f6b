import 'server-only'
import { headers } from 'next/headers'
import { makeContext } from './context'
import { appRouter } from './router'
import { createCallerFactory } from './trpc'

const createCaller = createCallerFactory(appRouter)

/** The dashboard's procedures for server components and route handlers, as whoever is signed in on this request. */
export const dashboardCaller = async () => createCaller(makeContext({ headers: await headers(), via: 'session' }))

/** The public procedures for pages that anyone may read: no session, and no key. */
export const publicCaller = async () => createCaller(makeContext({ headers: new Headers(), via: 'key' }))
