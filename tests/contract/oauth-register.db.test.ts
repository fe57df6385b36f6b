import { beforeEach, describe, expect, it } from 'vitest'
import { mainPool } from '../../server/db'
import { oldOAuthCodes, oldRefreshTokens, unusedOAuthClients } from '../../server/oauth/expired'
import { send, withSandbox } from '../support/api'
import {
  authorizationOf,
  makeCode,
  makePkce,
  openAuthorize,
  registerTestClient,
  resetClientCounters,
} from '../support/oauth'
import { makeOwner } from '../support/owners'

withSandbox()
beforeEach(resetClientCounters)

const register = (body: unknown, headers = {}) => send('/register', { body, headers })
const countClients = async () => (await mainPool().query('SELECT count(*)::int AS n FROM oauth_client')).rows[0].n

describe('201', () => {
  it('registers a public client, and says what it does not get', async () => {
    const redirect_uris = ['http://localhost:6274/oauth/callback', 'cursor://anysphere.cursor-retrieval/oauth']
    const answer = await register({
      client_name: 'Inspector',
      redirect_uris,
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'client_secret_post',
      scope: 'openid',
      logo_uri: 'https://x.example/y.png',
    })
    expect(answer).toMatchObject({ status: 201 })
    expect(answer.body).toEqual({
      client_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      client_id_issued_at: expect.any(Number),
      client_name: 'Inspector',
      redirect_uris,
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    })
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  })

  it('cleans a name that hides or reorders text, and cuts a long one', async () => {
    const nameOf = async (client_name: string) =>
      (await register({ client_name, redirect_uris: ['https://app.example/cb'] })).body.client_name
    expect(await nameOf('A\u202Eevil\u0000\nname\u200B')).toBe('A evil name')
    expect(await nameOf('\u200B\u2066 ')).toBe('app.example')
    expect(String(await nameOf('x'.repeat(500)))).toHaveLength(60)
    expect(await nameOf('<img src=x>')).toBe('<img src=x>')
  })
})

describe('400', () => {
  it.each([
    'http://app.example/cb',
    'https://app.example/cb#part',
    'https://user:pw@app.example/cb',
    'https://app.example\\@evil.example/',
    'https://app.exämple/cb',
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'ms-msdt:/id',
    'mailto:x@y.example',
    'about:blank',
    '//app.example/cb',
    '/cb',
    '',
    ' https://app.example/cb',
  ])('invalid_redirect_uri for %j', async (uri) => {
    const before = await countClients()
    const answer = await register({ redirect_uris: ['https://app.example/cb', uri] })
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_redirect_uri' } })
    expect(await countClients()).toBe(before)
  })

  it.each([
    ['nothing', {}],
    ['no redirect URI', { redirect_uris: [] }],
    ['a redirect URI that is not in a list', { redirect_uris: 'https://app.example/cb' }],
    ['a number', { redirect_uris: [5] }],
    ['more than twenty', { redirect_uris: Array(21).fill('https://app.example/cb') }],
    ['a long one', { redirect_uris: [`https://app.example/${'x'.repeat(2_000)}`] }],
    ['a name that is not a text', { redirect_uris: ['https://app.example/cb'], client_name: 5 }],
    ['another grant', { redirect_uris: ['https://app.example/cb'], grant_types: ['client_credentials'] }],
    ['another response type', { redirect_uris: ['https://app.example/cb'], response_types: ['token'] }],
    ['a list', []],
    ['a text', 'x'],
    ['null', null],
  ])('invalid_client_metadata for %s', async (_name, body) => {
    expect(await register(body)).toMatchObject({ status: 400, body: { error: 'invalid_client_metadata' } })
  })

  it('invalid_request for what is not JSON', async () => {
    const headers = { 'content-type': 'application/json' }
    expect(await send('/register', { raw: '{', headers })).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', error_description: expect.any(String) },
    })
  })
})

it('413 for more than 64 KiB, 415 for another type', async () => {
  expect(await register({ redirect_uris: ['x'.repeat(70_000)] })).toMatchObject({ status: 413 })
  expect(await register({}, { 'content-type': 'text/plain' })).toMatchObject({
    status: 415,
    body: { error: 'invalid_request' },
  })
})

describe('the number of registrations', () => {
  it('429 after sixty in a minute from one address', async () => {
    for (let i = 0; i < 60; i++) await registerTestClient()
    const answer = await register({ redirect_uris: ['https://app.example/cb'] })
    expect(answer).toMatchObject({ status: 429, body: { error: 'temporarily_unavailable' } })
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
  })

  it('is bounded: the oldest that nobody allowed is deleted for a new one', async () => {
    const insert = (what: string, n: number) =>
      mainPool().query(
        `INSERT INTO oauth_client (id, name, redirect_uris, created_at, allowed_at)
         SELECT gen_random_uuid(), '${what}', '{}', now() - interval '1 hour', ${what === 'allowed' ? 'now()' : 'NULL'}
         FROM generate_series(1, ${n})`,
      )
    await mainPool().query('DELETE FROM oauth_client')
    await insert('allowed', 1)
    await insert('stale', 10_000)
    const id = await registerTestClient()
    expect(await countClients()).toBe(10_001)
    const { rows } = await mainPool().query("SELECT id FROM oauth_client WHERE name <> 'stale' ORDER BY name")
    expect(rows).toHaveLength(2)
    expect(rows[0].id).toBe(id)
    await mainPool().query('DELETE FROM oauth_client')
  })
})

it('retention deletes a client a week after it registered if nobody allowed it, and old codes and refresh tokens', async () => {
  const owner = await makeOwner()
  const { clientId, exchange } = await makeCode(owner)
  const unused = await registerTestClient()
  await mainPool().query("UPDATE oauth_client SET created_at = now() - interval '8 days'")
  await exchange()
  for (const table of ['oauth_code', 'oauth_refresh_token'])
    await mainPool().query(`UPDATE ${table} SET expires_at = now() - interval '25 hours'`)
  for (const task of [unusedOAuthClients(), oldOAuthCodes(), oldRefreshTokens()]) {
    expect(await task.count()).toBe(1)
    expect(await task.step()).toEqual({ deleted: 1, more: false })
  }
  const { challenge } = makePkce()
  expect(await openAuthorize(authorizationOf(unused, challenge))).toMatchObject({ status: 400 })
  expect(await openAuthorize(authorizationOf(clientId, challenge))).toMatchObject({ status: 302 })
  expect(await exchange()).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
})
