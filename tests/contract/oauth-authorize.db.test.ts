import { beforeEach, describe, expect, it } from 'vitest'
import { endAllSessions } from '../../server/accounts/session'
import { mainPool } from '../../server/db'
import { env } from '../../server/env'
import { listKeys } from '../../server/keys/list'
import { send, withSandbox } from '../support/api'
import {
  allowOnPage,
  authorizationOf,
  cookieOf,
  LOOPBACK_REDIRECT,
  makePkce,
  openAuthorize,
  redirectOf,
  registerTestClient,
  resetClientCounters,
} from '../support/oauth'
import { makeOwner } from '../support/owners'

withSandbox()
beforeEach(resetClientCounters)

const WEBSITE = 'https://app.example/callback'
const origin = () => new URL(env().PUBLIC_URL).origin
const countCodes = async () => (await mainPool().query('SELECT count(*)::int AS n FROM oauth_code')).rows[0].n

/** A client's valid request, with parameters replaced; an empty one is left out. */
async function requestOf(more: Record<string, string> = {}, redirect_uris = [LOOPBACK_REDIRECT]) {
  const clientId = await registerTestClient({ redirect_uris })
  const all = { ...authorizationOf(clientId, makePkce().challenge), redirect_uri: redirect_uris[0] ?? '', ...more }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''))
}

describe('302', () => {
  it('leads to the consent page with the request as it came', async () => {
    const request = await requestOf({ resource: `${origin()}/api/v1/mcp`, scope: 'tools openid' })
    const answer = await openAuthorize(request)
    expect(answer).toMatchObject({ status: 302, text: '' })
    const to = new URL(answer.headers.get('location') ?? '', origin())
    expect([to.origin, to.pathname]).toEqual([origin(), '/authorize/consent'])
    expect(Object.fromEntries(to.searchParams)).toEqual(request)
  })

  it('takes any port of a registered loopback address, and no other host or path', async () => {
    const client_id = await registerTestClient({ redirect_uris: ['http://localhost:1/cb', 'http://[::1]/cb?a=1'] })
    const statusOf = async (redirect_uri: string) =>
      (await openAuthorize({ ...authorizationOf(client_id, makePkce().challenge), redirect_uri })).status
    for (const uri of [
      'http://localhost:1/cb',
      'http://localhost:60999/cb',
      'http://localhost/cb',
      'http://[::1]:5/cb?a=1',
    ])
      expect(await statusOf(uri), uri).toBe(302)
    for (const uri of [
      ...['http://127.0.0.1:1/cb', 'http://localhost:1/cb/', 'http://localhost:1/other', 'http://[::1]:5/cb'],
      ...['http://[::1]/cb?a=1&b=2', 'http://localhost.evil.example:1/cb', 'http://localhost:1@evil.example/cb'],
      ...['https://localhost:1/cb', 'http://localhost:1/cb#x', 'http://localhost:99999/cb'],
    ])
      expect(await statusOf(uri), uri).toBe(400)
  })

  it.each([
    ['unsupported_response_type', { response_type: 'token' }],
    ['unsupported_response_type', { response_type: '' }],
    ['invalid_request', { response_mode: 'fragment' }],
    ['invalid_request', { code_challenge: '' }],
    ['invalid_request', { code_challenge: 'too-short' }],
    ['invalid_request', { code_challenge_method: '' }],
    ['invalid_request', { code_challenge_method: 'plain' }],
    ['invalid_target', { resource: 'https://other.example/mcp' }],
  ])('takes %s for %j to a loopback address, with state and iss', async (error, more) => {
    const answer = await openAuthorize(await requestOf(more))
    expect(answer.status).toBe(302)
    const to = new URL(answer.headers.get('location') ?? '')
    expect(to.href.startsWith(`${LOOPBACK_REDIRECT}?`)).toBe(true)
    expect(Object.fromEntries(to.searchParams)).toEqual({
      error,
      error_description: expect.any(String),
      state: 'a state',
      iss: origin(),
    })
  })

  it('takes an error to a website only once an owner has allowed its client', async () => {
    const request = await requestOf({}, [WEBSITE])
    const wrong = { ...request, code_challenge_method: 'plain' }
    expect(await openAuthorize(wrong)).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
    expect(redirectOf(await allowOnPage(await cookieOf(await makeOwner()), request)).host).toBe('app.example')
    const answer = await openAuthorize(wrong)
    expect(answer.status).toBe(302)
    expect(answer.headers.get('location')).toMatch(/^https:\/\/app\.example\/callback\?error=invalid_request&/)
  })
})

describe('400, and no redirect', () => {
  const expectRefused = (answer: Awaited<ReturnType<typeof send>>, error: string) => {
    expect(answer).toMatchObject({ status: 400, body: { error, error_description: expect.any(String) } })
    expect(answer.headers.has('location')).toBe(false)
  }

  it.each(['', 'x', '01930000-0000-7000-8000-000000000000', 'http://app.example/client.json', 'https://app.example'])(
    'for the client %j',
    async (client_id) => {
      const request = { ...authorizationOf(client_id, makePkce().challenge), redirect_uri: 'https://evil.example/' }
      expectRefused(await openAuthorize(request), client_id === '' ? 'invalid_request' : 'invalid_client')
    },
  )

  it.each([
    '',
    'https://evil.example/',
    `${WEBSITE}/`,
    `${WEBSITE}?a=1`,
    `${WEBSITE}#fragment`,
    'https://app.example:444/callback',
    'https://app.example/CALLBACK',
    'https://app.example.evil.example/callback',
    'https://app.example/callback/../../evil',
    'javascript:alert(1)',
    '//evil.example',
  ])('for the redirect URI %j', async (redirect_uri) => {
    const request = { ...(await requestOf({}, [WEBSITE])), redirect_uri }
    expectRefused(await openAuthorize(request), 'invalid_request')
    const cookie = await cookieOf(await makeOwner())
    expect((await allowOnPage(cookie, request)).status).toBe(400)
  })

  it('for a repeated parameter', async () => {
    const request = new URLSearchParams(await requestOf())
    request.append('redirect_uri', 'https://evil.example/')
    expectRefused(await send(`/authorize?${request}`), 'invalid_request')
  })

  it('for a client that publishes its metadata, what can be seen without fetching it', async () => {
    const published = { ...authorizationOf('https://app.example/client.json', makePkce().challenge), state: '' }
    expect(await openAuthorize(published)).toMatchObject({ status: 302 })
    expectRefused(await openAuthorize({ ...published, code_challenge_method: 'plain' }), 'invalid_request')
  })
})

describe('Allow', () => {
  it('returns a code with state and iss, and creates no key before it is exchanged', async () => {
    const owner = await makeOwner()
    const to = redirectOf(await allowOnPage(await cookieOf(owner), await requestOf()))
    expect(to.href.startsWith(`${LOOPBACK_REDIRECT}?code=`)).toBe(true)
    expect(to.searchParams.get('code')).toMatch(/^[\w-]{43}$/)
    expect(to.searchParams.get('state')).toBe('a state')
    expect(to.searchParams.get('iss')).toBe(origin())
    expect((await listKeys(owner.id, { limit: 10 })).rows).toEqual([])
  })

  it.each([
    ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['a frame without an origin', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
  ])('403 from %s, with the owner’s cookie', async (_name, headers) => {
    const cookie = await cookieOf(await makeOwner())
    const before = await countCodes()
    expect(await allowOnPage(cookie, await requestOf(), { headers })).toMatchObject({ status: 403 })
    expect(await countCodes()).toBe(before)
  })

  it('401 without a session, and for an owner whose sessions were ended', async () => {
    const owner = await makeOwner()
    const cookie = await cookieOf(owner)
    await endAllSessions(owner.id)
    const before = await countCodes()
    const request = await requestOf()
    for (const sent of ['', cookie]) expect((await allowOnPage(sent, request)).status).toBe(401)
    expect(await countCodes()).toBe(before)
  })

  it.each([
    ['no spend limit', { tools: 'all' }],
    ['a spend limit of null', { tools: 'all', budget: null }],
    ['a spend limit of 0', { tools: 'all', budget: 0 }],
    ['an unknown tool', { tools: ['nope'], budget: 5 }],
    ['an unknown model', { allowedModels: ['nope'], llm: true, budget: 5 }],
    ['an expiry in the past', { budget: 5, expiresAt: '2020-01-01T00:00:00Z' }],
    ['a name', { budget: 5, name: 'Admin' }],
  ])('400 for %s', async (_name, settings) => {
    const cookie = await cookieOf(await makeOwner())
    const before = await countCodes()
    expect(await allowOnPage(cookie, await requestOf(), { settings })).toMatchObject({ status: 400 })
    expect(await countCodes()).toBe(before)
  })

  it.each<Record<string, string>>([
    { code_challenge: '' },
    { code_challenge_method: 'plain' },
    { resource: 'https://other.example' },
  ])('400 for the request with %j, whatever /authorize said', async (more) => {
    const cookie = await cookieOf(await makeOwner())
    expect(await allowOnPage(cookie, await requestOf(more))).toMatchObject({ status: 400 })
  })
})
