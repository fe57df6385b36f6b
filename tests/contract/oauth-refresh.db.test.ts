import { beforeEach, describe, expect, it } from 'vitest'
import { listAuditEvents } from '../../server/accounts/audit'
import { mainPool } from '../../server/db'
import { changeKey } from '../../server/keys/change'
import { listClientKeys, listKeys } from '../../server/keys/list'
import { revokeKey } from '../../server/keys/revoke'
import { rotateKey } from '../../server/keys/rotate'
import { makeSecret } from '../../server/keys/secret'
import { withSandbox } from '../support/api'
import { readOwnerMoney } from '../support/ledger'
import { mcpResultOf, sendRpc } from '../support/mcp'
import { makeCode, registerTestClient, resetClientCounters, sendForm } from '../support/oauth'
import { makeOwner, type TestOwner } from '../support/owners'

withSandbox()
beforeEach(resetClientCounters)

const call = { id: 1, method: 'tools/call', params: { name: 'crypto_get_prices', arguments: { coinIds: ['bitcoin'] } } }
const refused = (error: string) => ({ status: 400, body: { error, error_description: expect.any(String) } })
const statusWith = async (token: string) => (await sendRpc(token, { id: 1, method: 'tools/list' })).status
const keysOf = async ({ id }: TestOwner) => (await listKeys(id, { limit: 100 })).rows

type Tokens = { access_token: string; refresh_token: string; expires_in: number; scope: string }

/** An owner with an application that was allowed, and what renews its tokens. */
async function connect(settings?: object) {
  const owner = await makeOwner()
  const { clientId, exchange } = await makeCode(owner, settings)
  const first = (await exchange()).body as unknown as Tokens
  const renew = (refresh_token: string, more = {}) =>
    sendForm('/token', { grant_type: 'refresh_token', client_id: clientId, refresh_token, ...more })
  const renewed = async (token: string) => {
    const { status, body } = await renew(token)
    expect(status).toBe(200)
    return body as unknown as Tokens
  }
  return { owner, clientId, first, renew, renewed }
}

describe('200', () => {
  it('a refresh token gives the same key a new secret, once, and its spend and budget stay', async () => {
    const { owner, first, renewed } = await connect({ tools: 'all', budget: 9 })
    mcpResultOf(await sendRpc(first.access_token, call))
    const second = await renewed(first.refresh_token)
    expect(second).toEqual({
      access_token: expect.stringMatching(/^tg_\w{36}$/),
      refresh_token: expect.stringMatching(/^tgr_\w{36}$/),
      token_type: 'Bearer',
      expires_in: expect.any(Number),
      scope: first.scope,
    })
    expect(second.access_token).not.toBe(first.access_token)
    expect(mcpResultOf(await sendRpc(second.access_token, call)).service).toEqual({ credits_charged: 3 })
    const keys = await keysOf(owner)
    expect(keys).toMatchObject([{ budget: 9, spent: 6, last4: second.access_token.slice(-4), rotation: null }])
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 6, held: 0 })
  })

  it('the token before still works for requests on their way, and the one before that no more', async () => {
    const { first, renewed } = await connect()
    const second = await renewed(first.refresh_token)
    expect(await statusWith(first.access_token)).toBe(200)
    const third = await renewed(second.refresh_token)
    expect(await Promise.all([first, second, third].map(({ access_token }) => statusWith(access_token)))).toEqual([
      401, 200, 200,
    ])
  })

  it('an access token ends after its hour, and the refresh token renews it', async () => {
    const { owner, first, renewed } = await connect()
    await mainPool().query(
      `UPDATE key_secret SET expires_at = now() - interval '1 s' WHERE key_id IN (SELECT id FROM "key" WHERE owner_id = $1)`,
      [owner.id],
    )
    expect(await statusWith(first.access_token)).toBe(401)
    expect(await statusWith((await renewed(first.refresh_token)).access_token)).toBe(200)
  })
})

describe('400', () => {
  it('for a refresh token sent twice: the key is revoked, and its owner can read why', async () => {
    const { owner, first, renew, renewed } = await connect()
    const second = await renewed(first.refresh_token)
    expect(await renew(first.refresh_token)).toMatchObject(refused('invalid_grant'))
    expect(await statusWith(second.access_token)).toBe(401)
    expect(await renew(second.refresh_token)).toMatchObject(refused('invalid_grant'))
    expect(await keysOf(owner)).toMatchObject([{ state: 'revoked' }])
    const { rows } = await listAuditEvents(owner.id, { limit: 5, action: 'key_revoked' })
    expect(rows).toMatchObject([{ actorKind: 'system', detail: { reason: 'a refresh token was used twice' } }])
  })

  it('for a refresh token sent many times at once: no key is left that works', async () => {
    const { owner, first, renew } = await connect()
    const answers = await Promise.all(Array.from({ length: 8 }, () => renew(first.refresh_token)))
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
    expect(await keysOf(owner)).toMatchObject([{ state: 'revoked' }])
  })

  it('for the token of another client, which still works for its own', async () => {
    const { first, renew } = await connect()
    const client_id = await registerTestClient()
    expect(await renew(first.refresh_token, { client_id })).toMatchObject(refused('invalid_grant'))
    expect(await renew(first.refresh_token)).toMatchObject({ status: 200 })
  })

  it('for the token of a key that its owner revoked or that expired', async () => {
    const revoked = await connect()
    await revokeKey(revoked.owner.id, (await keysOf(revoked.owner))[0]?.id ?? 0)
    expect(await revoked.renew(revoked.first.refresh_token)).toMatchObject(refused('invalid_grant'))
    const expired = await connect({ tools: 'all', budget: 5, expiresAt: new Date(Date.now() + 60_000).toISOString() })
    await mainPool().query('UPDATE "key" SET expires_at = now() WHERE owner_id = $1', [expired.owner.id])
    expect(await expired.renew(expired.first.refresh_token)).toMatchObject(refused('invalid_grant'))
  })

  it('for what is no refresh token', async () => {
    const { first, renew } = await connect()
    for (const value of [makeSecret('tgr_'), first.access_token, 'x'])
      expect(await renew(value)).toMatchObject(refused('invalid_grant'))
    expect(await renew('')).toMatchObject(refused('invalid_request'))
    expect(await statusWith(first.refresh_token)).toBe(401)
    expect(await renew(first.refresh_token, { resource: 'https://other.example/mcp' })).toMatchObject(
      refused('invalid_target'),
    )
  })
})

it('/revoke takes the refresh token, too', async () => {
  const { owner, clientId, first, renew } = await connect()
  expect(await sendForm('/revoke', { token: first.refresh_token, client_id: clientId })).toMatchObject({ status: 200 })
  expect(await keysOf(owner)).toMatchObject([{ state: 'revoked' }])
  expect(await renew(first.refresh_token)).toMatchObject(refused('invalid_grant'))
})

it('a nearer end of the key is the end of its next tokens', async () => {
  const { owner, first, renewed } = await connect()
  const id = (await keysOf(owner))[0]?.id ?? 0
  await changeKey(owner.id, id, { expiresAt: new Date(Date.now() + 60_000).toISOString() })
  expect((await renewed(first.refresh_token)).expires_in).toBeLessThanOrEqual(60)
})

it('the key is not rotated by hand, and is listed as connected until it is revoked', async () => {
  const { owner } = await connect()
  const [key] = await listClientKeys(owner.id)
  const id = key?.id ?? 0
  await expect(rotateKey(owner.id, id, 60)).rejects.toMatchObject({ code: 'conflict' })
  await revokeKey(owner.id, id)
  expect(await listClientKeys(owner.id)).toEqual([])
})
