import { beforeEach, describe, expect, it } from 'vitest'
import { mainPool } from '../../server/db'
import { env } from '../../server/env'
import { getKey, listKeys } from '../../server/keys/list'
import { makeSecret } from '../../server/keys/secret'
import { send, withSandbox } from '../support/api'
import { expectUntouched, readOwnerMoney } from '../support/ledger'
import { MCP_PATH, mcpFailureOf, mcpResultOf, sendRpc } from '../support/mcp'
import {
  LOOPBACK_REDIRECT,
  makeCode,
  makePkce,
  registerTestClient,
  resetClientCounters,
  sendForm,
} from '../support/oauth'
import { makeCaller, makeOwner, type TestOwner } from '../support/owners'

withSandbox()
beforeEach(resetClientCounters)

const keysOf = async ({ id }: TestOwner) => (await listKeys(id, { limit: 100 })).rows
const call = { id: 1, method: 'tools/call', params: { name: 'crypto_get_prices', arguments: { coinIds: ['bitcoin'] } } }
const refused = (error: string) => ({ status: 400, body: { error, error_description: expect.any(String) } })

/** The status with which the MCP endpoint lets a token in. */
const statusWith = async (token: string) => (await sendRpc(token, { id: 1, method: 'tools/list' })).status

describe('200', () => {
  it('a code becomes a key with what the owner chose; its secret is the access token', async () => {
    const owner = await makeOwner()
    const settings = { tools: ['crypto_get_prices'], llm: true, budget: 70, rpm: 9 }
    const { clientId, exchange } = await makeCode(owner, settings)
    const { status, headers, body } = await exchange()
    expect(status).toBe(200)
    expect(body).toEqual({
      access_token: expect.stringMatching(/^tg_\w{36}$/),
      token_type: 'Bearer',
      expires_in: expect.any(Number),
      refresh_token: expect.stringMatching(/^tgr_\w{36}$/),
      scope: 'tools llm',
    })
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('access-control-allow-origin')).toBe('*')
    const [key, ...more] = await keysOf(owner)
    expect(more).toEqual([])
    expect(key).toMatchObject({
      ...settings,
      name: 'Test client via OAuth',
      state: 'active',
      agent: false,
      expiresAt: null,
      client: { id: clientId, name: 'Test client', redirectUri: LOOPBACK_REDIRECT, tokenExpiresAt: expect.any(String) },
    })
    const status1 = await send('/api/v1/key', { key: String(body.access_token) })
    expect(status1.body).toMatchObject({ id: key?.id, budget: 70 })
    await expectUntouched(owner)
  })

  it('expires_in is an hour, or what is left until the owner’s date', async () => {
    const lifetimeOf = async (leftMs: number | null) => {
      const expiresAt = leftMs === null ? null : new Date(Date.now() + leftMs).toISOString()
      const { exchange } = await makeCode(await makeOwner(), { budget: 5, expiresAt })
      return Number((await exchange()).body.expires_in)
    }
    for (const leftMs of [null, 86_400_000]) {
      const seconds = await lifetimeOf(leftMs)
      expect(seconds).toBeGreaterThan(3_500)
      expect(seconds).toBeLessThanOrEqual(3_600)
    }
    expect(await lifetimeOf(600_000)).toBeLessThanOrEqual(600)
  })

  it('the key is charged like any other, never beyond its spend limit', async () => {
    const owner = await makeOwner()
    const { exchange } = await makeCode(owner, { tools: 'all', budget: 3 })
    const token = String((await exchange()).body.access_token)
    expect(mcpResultOf(await sendRpc(token, call)).service).toEqual({ credits_charged: 3 })
    const answer = await sendRpc(token, call)
    expect(mcpFailureOf(answer)).toMatchObject({ code: 'insufficient_credits', limitSource: 'key_budget' })
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 3, held: 0 })
  })

  it('a resource of this service and a secret that is not needed are taken', async () => {
    const { exchange } = await makeCode(await makeOwner())
    expect(await exchange({ resource: new URL(MCP_PATH, env().PUBLIC_URL).href, client_secret: 'x' })).toMatchObject({
      status: 200,
    })
  })
})

describe('400', () => {
  it('for a code sent twice: the key made from it is revoked, with a 401 that names the metadata', async () => {
    const owner = await makeOwner()
    const { exchange } = await makeCode(owner)
    const token = String((await exchange()).body.access_token)
    expect(await statusWith(token)).toBe(200)
    expect(await exchange()).toMatchObject(refused('invalid_grant'))
    const answer = await sendRpc(token, call)
    expect(answer.status).toBe(401)
    expect(answer.headers.get('www-authenticate')).toContain('resource_metadata=')
    expect(await keysOf(owner)).toMatchObject([{ state: 'revoked' }])
    expect(await exchange()).toMatchObject(refused('invalid_grant'))
    await expectUntouched(owner)
  })

  it('for a code sent many times at once: no key is left that works', async () => {
    const owner = await makeOwner()
    const { exchange } = await makeCode(owner)
    const answers = await Promise.all(Array.from({ length: 8 }, () => exchange()))
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
    const keys = await keysOf(owner)
    expect(keys.length).toBeLessThanOrEqual(1)
    for (const { state } of keys) expect(state).toBe('revoked')
  })

  it.each([
    ['another verifier', () => makePkce().verifier, 'invalid_grant'],
    ['no verifier', () => '', 'invalid_grant'],
    ['a verifier that is too short', () => 'x', 'invalid_request'],
  ])('for %s, and the code is used up', async (_name, code_verifier, error) => {
    const owner = await makeOwner()
    const { exchange } = await makeCode(owner)
    expect(await exchange({ code_verifier: code_verifier() })).toMatchObject(refused(error))
    expect(await exchange()).toMatchObject(refused('invalid_grant'))
    expect(await keysOf(owner)).toEqual([])
  })

  it('for the challenge in place of the verifier', async () => {
    const owner = await makeOwner()
    const { form, exchange } = await makeCode(owner)
    const { rows } = await mainPool().query('SELECT challenge FROM oauth_code WHERE owner_id = $1', [owner.id])
    expect(rows[0].challenge).not.toBe(form.code_verifier)
    expect(await exchange({ code_verifier: rows[0].challenge })).toMatchObject(refused('invalid_grant'))
    expect(await keysOf(owner)).toEqual([])
  })

  it('for the code of another client, which still works for its own', async () => {
    const owner = await makeOwner()
    const { exchange } = await makeCode(owner)
    expect(await exchange({ client_id: await registerTestClient() })).toMatchObject(refused('invalid_grant'))
    expect(await keysOf(owner)).toEqual([])
    expect(await exchange()).toMatchObject({ status: 200 })
  })

  it('for another redirect URI, also on another port', async () => {
    const owner = await makeOwner()
    for (const redirect_uri of ['https://evil.example/', LOOPBACK_REDIRECT.replace('8123', '8124'), '']) {
      const { exchange } = await makeCode(owner)
      expect(await exchange({ redirect_uri })).toMatchObject(refused('invalid_request'))
    }
    expect(await keysOf(owner)).toEqual([])
  })

  it('for a code after its minute', async () => {
    const owner = await makeOwner()
    const { exchange } = await makeCode(owner)
    const { rows } = await mainPool().query(
      'SELECT extract(epoch FROM expires_at - now())::float8 AS s FROM oauth_code WHERE owner_id = $1',
      [owner.id],
    )
    expect(rows[0].s).toBeLessThanOrEqual(60)
    await mainPool().query("UPDATE oauth_code SET expires_at = now() - interval '1 s' WHERE owner_id = $1", [owner.id])
    expect(await exchange()).toMatchObject(refused('invalid_grant'))
    expect(await keysOf(owner)).toEqual([])
  })

  it.each([
    ['an unknown code', { code: 'x' }, 'invalid_grant'],
    ['no code', { code: '' }, 'invalid_request'],
    ['an unknown client', { client_id: '01930000-0000-7000-8000-000000000000' }, 'invalid_client'],
    ['no client', { client_id: '' }, 'invalid_client'],
    ['another resource', { resource: 'https://other.example/mcp' }, 'invalid_target'],
    ['another grant', { grant_type: 'client_credentials' }, 'unsupported_grant_type'],
    ['a password', { grant_type: 'password', username: 'a', password: 'b' }, 'unsupported_grant_type'],
    ['no grant', { grant_type: '' }, 'invalid_request'],
  ])('for %s, and the code still works', async (_name, more, error) => {
    const { exchange } = await makeCode(await makeOwner())
    expect(await exchange(more as Record<string, string>)).toMatchObject(refused(error))
    expect(await exchange()).toMatchObject({ status: 200 })
  })

  it('for a repeated parameter', async () => {
    const { form } = await makeCode(await makeOwner())
    const twice: [string, string][] = [...Object.entries(form), ['code', form.code]]
    expect(await sendForm('/token', twice)).toMatchObject(refused('invalid_request'))
  })
})

it('415 for JSON, 413 for more than 64 KiB', async () => {
  expect(await send('/token', { body: {} })).toMatchObject({ status: 415, body: { error: 'invalid_request' } })
  expect(await sendForm('/token', { code: 'x'.repeat(70_000) })).toMatchObject({ status: 413 })
})

describe('/revoke', () => {
  it('200, and the key is revoked', async () => {
    const owner = await makeOwner()
    const { clientId, exchange } = await makeCode(owner)
    const token = String((await exchange()).body.access_token)
    expect(await sendForm('/revoke', { token, client_id: clientId })).toMatchObject({ status: 200, body: {} })
    expect(await statusWith(token)).toBe(401)
    expect(await keysOf(owner)).toMatchObject([{ state: 'revoked' }])
  })

  it('200, and nothing changes for another client, a key of the dashboard or an unknown value', async () => {
    const { owner, key } = await makeCaller()
    const { exchange } = await makeCode(owner)
    const token = String((await exchange()).body.access_token)
    const other = await registerTestClient()
    for (const value of [token, key.key, makeSecret(), 'x'])
      expect(await sendForm('/revoke', { token: value, client_id: other })).toMatchObject({ status: 200 })
    expect(await statusWith(token)).toBe(200)
    expect(await getKey(owner.id, key.id)).toMatchObject({ state: 'active' })
  })

  it('400 without a token or a client', async () => {
    expect(await sendForm('/revoke', { client_id: 'x' })).toMatchObject(refused('invalid_request'))
    expect(await sendForm('/revoke', { token: 'x' })).toMatchObject(refused('invalid_request'))
  })
})
