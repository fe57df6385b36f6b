import { passwordCost } from '../../server/accounts/password'
import type { SessionCookie } from '../../server/accounts/session'
import { signInWithPassword, signUpWithPassword } from '../../server/api/auth'
import { makeContext } from '../../server/api/context'
import { appRouter } from '../../server/api/router'
import { createCallerFactory } from '../../server/api/trpc'
import { mainPool } from '../../server/db'
import { env } from '../../server/env'

const createCaller = createCallerFactory(appRouter)

// Most of what signing in costs; `password.test.ts` has the true cost.
Object.assign(passwordCost, { memoryCost: 64, timeCost: 1 })

export const PASSWORD = 'correct horse battery'

type Cookie = Pick<SessionCookie, 'name' | 'value'>

/** What a browser sends, with or without a session. */
export const browserHeaders = (cookie?: Cookie, userAgent = 'Firefox'): Headers =>
  new Headers({
    'x-tollgate-peer': '203.0.113.9',
    origin: env().PUBLIC_URL,
    'user-agent': userAgent,
    ...(cookie && { cookie: `${cookie.name}=${cookie.value}` }),
  })

/** The dashboard's procedures for whoever has this cookie. */
export const callAs = (cookie: Cookie) => createCaller(makeContext({ via: 'session', headers: browserHeaders(cookie) }))

/** The procedure at a path of a caller. */
export const callNamed = (api: unknown, name: string) =>
  name.split('.').reduce((at, part) => (at as Record<string, unknown>)[part], api) as (
    input: unknown,
  ) => Promise<unknown>

let people = 0

/** Somebody who signed up, with their session and the procedures for it. */
export async function signUpSomebody() {
  // Where e-mail can be sent, a link opens the account.
  const { SMTP_URL } = env()
  Object.assign(env(), { SIGNUP: 'open', SMTP_URL: undefined })
  const email = `somebody-${++people}@example.org`
  const cookie = await signUpWithPassword({ email, password: PASSWORD }, browserHeaders())
  Object.assign(env(), { SMTP_URL })
  const { rows } = await mainPool().query<{ id: number }>('SELECT id FROM owner WHERE email = $1', [email])
  return { id: rows[0]?.id ?? 0, email, cookie, api: callAs(cookie) }
}

/** Another browser of somebody's. */
export async function signInAgain(email: string, password = PASSWORD) {
  const cookie = await signInWithPassword({ email, password }, browserHeaders(undefined, 'Safari'))
  return { cookie, api: callAs(cookie) }
}

/** Forgets all counted attempts. */
export const forgetAttempts = () => mainPool().query('TRUNCATE rate_window')
