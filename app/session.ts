import 'server-only'
import { headers } from 'next/headers'
import { cache } from 'react'
import { getSession } from '@/server/accounts/session'

/** The session of this request; cached, since several components need it. */
export const currentSession = cache(async () => getSession(await headers()))
