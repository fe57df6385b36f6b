import { headers } from 'next/headers'
import { cache } from 'react'
import { server } from './server'

/** The session of this request; cached, since several components need it. */
export const currentSession = cache(async () => server().findSession(await headers()))
