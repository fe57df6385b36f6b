import { headers } from 'next/headers'
import { cache } from 'react'
import { server } from './server'

/** Who is signed in on this request; looked up once however many components ask. */
export const currentSession = cache(async () => server().findSession(await headers()))
