import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { getSession } from '../accounts/session'
import { closeDb } from '../db'
import { env } from '../env'
import { uuidv7 } from '../kit/id'
import { createOwner } from '../operators/access'
import { COMMAND_LINE } from '../operators/operator'
import { handleAuth, startProviderSignIn } from './auth'

let visitor = { id: 0, email: '', name: 'Ada' }

/** GitHub, as far as signing in asks it. */
async function github(input: RequestInfo | URL): Promise<Response> {
  const { href } = new URL(input instanceof Request ? input.url : input)
  if (href.includes('/login/oauth/access_token')) {
    return Response.json({ access_token: 'gho_x', token_type: 'bearer', scope: 'read:user,user:email' })
  }
  if (href.startsWith('https://api.github.com/user/emails')) {
    return Response.json([{ email: visitor.email, primary: true, verified: true }])
  }
  if (href.startsWith('https://api.github.com/user')) return Response.json(visitor)
  throw new Error(`nobody answers ${href}`)
}

beforeAll(() => {
  Object.assign(env(), { AUTH_GITHUB_ID: 'id', AUTH_GITHUB_SECRET: 'secret', SIGNUP: 'open' })
})
beforeEach(() => {
  vi.stubGlobal('fetch', github)
  const id = Math.floor(Math.random() * 1e9)
  visitor = { id, email: `gh-${uuidv7()}@example.org`, name: 'Ada' }
})
afterEach(() => {
  vi.unstubAllGlobals()
})
afterAll(closeDb)

/** There and back: what the browser would do between our redirect and the callback. */
async function comeBack(next = '/keys'): Promise<Response> {
  const started = await startProviderSignIn(
    { provider: 'github', next },
    new Headers({ origin: 'http://localhost:3000' }),
  )
  const to = new URL(started.redirect ?? '')
  expect(to.origin + to.pathname).toBe('https://github.com/login/oauth/authorize')
  expect(to.searchParams.get('redirect_uri')).toBe('http://localhost:3000/api/auth/callback/github')
  const cookie = (started.cookies ?? []).map(({ name, value }) => `${name}=${value}`).join('; ')
  const state = to.searchParams.get('state')
  const back = `http://inside:1/api/auth/callback/github?code=c${state ? `&state=${state}` : ''}`
  return handleAuth(new Request(back, { headers: { cookie } }))
}

const sessionIn = (answer: Response) =>
  getSession(
    new Headers({
      cookie: answer.headers
        .getSetCookie()
        .map((c) => c.split(';')[0])
        .join('; '),
    }),
  )

test('a visitor from GitHub gets an account, a session and the page asked for, and the same account the next time', async () => {
  const first = await comeBack('/keys')
  expect(first.headers.get('location')).toBe('http://localhost:3000/keys')
  const session = await sessionIn(first)
  expect(session).toMatchObject({ email: visitor.email, name: 'Ada' })
  expect(await sessionIn(await comeBack())).toMatchObject({ personId: session?.personId })
})

test('one whose e-mail address has an account here is sent to sign in the old way, with no session', async () => {
  await createOwner(COMMAND_LINE, { email: visitor.email, password: 'correct horse battery' })
  const answer = await comeBack()
  expect(answer.headers.get('location')).toMatch(/\/signin\?error=email_taken$/)
  expect(await sessionIn(answer)).toBeNull()
})

test('a callback without the cookies of its start is refused', async () => {
  const answer = await handleAuth(new Request('http://inside:1/api/auth/callback/github?code=c&state=s'))
  expect(answer.headers.get('location')).toMatch(/^http:\/\/localhost:3000\/signin\?error=/)
  expect(await sessionIn(answer)).toBeNull()
})
