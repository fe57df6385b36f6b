import 'server-only'
import { headers } from 'next/headers'
import { cache } from 'react'
import { getSession } from '@/server/accounts/session'

/** Who is signed in on this request; looked up once however many components ask. */
export const currentSession = cache(async () => getSession(await headers()))
