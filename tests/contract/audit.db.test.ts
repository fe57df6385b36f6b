import { beforeEach, describe, expect, test } from 'vitest'
import { recordAudit } from '../../server/accounts/audit'
import { signInWithPassword, signOut, signUpWithPassword } from '../../server/api/auth'
import { makeContext } from '../../server/api/context'
import { appRouter } from '../../server/api/router'
import { createCallerFactory } from '../../server/api/trpc'
import { mainPool, prisma } from '../../server/db'
import { env } from '../../server/env'
import { withSandbox } from '../support/api'

withSandbox()
beforeEach(async () => {
  Object.assign(env(), { SIGNUP: 'open' })
  await mainPool().query('TRUNCATE rate_window')
})

const createCaller = createCallerFactory(appRouter)
const password = 'correct horse battery'
const headersOf = (cookie?: { name: string; value: string }) =>
  new Headers({
    'x-tollgate-peer': '203.0.113.9',
    origin: 'http://localhost:3000',
    'user-agent': 'Firefox',
    ...(cookie && { cookie: `${cookie.name}=${cookie.value}` }),
  })
const asOwner = (cookie: { name: string; value: string }) =>
  createCaller(makeContext({ via: 'session', headers: headersOf(cookie) }))

let people = 0
/** An owner who signed up, signed in. */
async function newOwner() {
  const email = `audit-${++people}@example.org`
  const cookie = await signUpWithPassword({ email, password }, headersOf())
  return { email, cookie, api: asOwner(cookie) }
}

const actionsOf = async (api: ReturnType<typeof asOwner>) =>
  (await api.account.audit({})).rows.map(({ action }) => action).reverse()

type Procedure = { _def: { type: string; meta?: { openapi?: unknown; audit?: unknown } } }

test('every change of the dashboard says what it writes into the audit log', () => {
  const silent = Object.entries(appRouter._def.procedures as unknown as Record<string, Procedure>).filter(
    ([name, { _def }]) =>
      !/^(public|visitor)\./.test(name) && _def.type === 'mutation' && _def.meta?.audit === undefined,
  )
  expect(silent.map(([name]) => name)).toEqual([])
})

describe('the audit log', () => {
  test('has sign-ins, good and bad, with address and browser', async () => {
    const { email, api } = await newOwner()
    await expect(signInWithPassword({ email, password: 'wrong password' }, headersOf())).rejects.toThrow()
    await signInWithPassword({ email, password }, headersOf())
    expect((await api.account.audit({})).rows).toEqual([
      expect.objectContaining({
        action: 'signed_in',
        actorKind: 'owner',
        actor: email,
        address: '203.0.113.9',
        userAgent: 'Firefox',
      }),
      expect.objectContaining({ action: 'sign_in_failed', actorKind: 'system', actor: null }),
      expect.objectContaining({ action: 'account_created' }),
    ])
  })

  test('has what was done to keys, and no secret', async () => {
    const { api } = await newOwner()
    const key = await api.keys.create({ name: 'nightly', budget: 50 })
    await api.keys.change({ id: key.id, changes: { rpm: 7 } })
    const rotated = await api.keys.rotate({ id: key.id, overlapMinutes: 5 })
    await api.keys.revoke({ id: key.id })
    const { rows } = await api.account.audit({ limit: 4 })
    expect(rows.map(({ action, subject, detail }) => [action, subject, detail])).toEqual([
      ['key_revoked', 'nightly', null],
      ['key_rotated', 'nightly', { overlapMinutes: 5 }],
      ['key_changed', 'nightly', { rpm: 7 }],
      ['key_created', 'nightly', { budget: 50 }],
    ])
    const text = JSON.stringify(rows)
    expect(text).not.toContain(key.key)
    expect(text).not.toContain(rotated.key)
  })

  test('does not have what was refused', async () => {
    const { api } = await newOwner()
    const key = await api.keys.create({ name: 'x', tools: ['web_search'] })
    await expect(api.keys.change({ id: key.id, changes: { tools: 'all' } })).rejects.toThrow()
    await expect(
      api.account.changePassword({ current: 'wrong password', password: 'a new password' }),
    ).rejects.toThrow()
    expect(await actionsOf(api)).toEqual(['account_created', 'key_created'])
  })

  test('has settings, time zone, password and the end of sessions, without a password', async () => {
    const { email, api } = await newOwner()
    await api.settings.save({ outsideApproval: 'always' })
    await api.account.setTimeZone({ timeZone: 'Europe/Berlin' })
    const other = await signInWithPassword({ email, password }, headersOf())
    const sessions = await api.account.sessions()
    const theirs = sessions.find(({ isCurrent }) => !isCurrent)
    await api.account.endSession({ id: theirs?.id ?? '' })
    await expect(asOwner(other).account.me()).rejects.toThrow(/session has ended/)
    await api.account.changePassword({ current: password, password: 'another battery horse' })
    expect(await actionsOf(api)).toEqual([
      'account_created',
      'settings_changed',
      'settings_changed',
      'signed_in',
      'session_ended',
      'password_changed',
    ])
    expect(JSON.stringify(await api.account.audit({}))).not.toMatch(/battery/)
  })

  test('has the sign-out of every session', async () => {
    const { email, cookie } = await newOwner()
    await signOut(headersOf(cookie), { everywhere: true })
    const again = asOwner(await signInWithPassword({ email, password }, headersOf()))
    expect(await actionsOf(again)).toEqual(['account_created', 'signed_out_everywhere', 'signed_in'])
  })

  test('is read in pages that join, by action, and never another owner’s', async () => {
    const [one, two] = [await newOwner(), await newOwner()]
    for (let i = 0; i < 5; i++) await one.api.keys.create({ name: `k${i}` })
    const first = await one.api.account.audit({ limit: 3, action: 'key_created' })
    const second = await one.api.account.audit({
      limit: 3,
      action: 'key_created',
      cursor: first.nextCursor ?? undefined,
    })
    expect([...first.rows, ...second.rows].map(({ subject }) => subject)).toEqual(['k4', 'k3', 'k2', 'k1', 'k0'])
    expect(second.nextCursor).toBeNull()
    expect(await actionsOf(two.api)).toEqual(['account_created'])
    await expect(two.api.account.audit({ cursor: 'x' })).rejects.toThrow()
  })

  test('takes any text', async () => {
    const { api, email } = await newOwner()
    const { ownerId } = await mainPool()
      .query<{ ownerId: number }>('SELECT id AS "ownerId" FROM owner WHERE email = $1', [email])
      .then(({ rows: [row] }) => row ?? { ownerId: 0 })
    await recordAudit(prisma(), {
      ownerId,
      action: 'settings_changed',
      subject: 'nul \0 half \ud800',
      detail: { a: '\0' },
    })
    expect((await api.account.audit({ limit: 1 })).rows[0]).toMatchObject({
      subject: 'nul  half \ufffd',
      detail: { a: '' },
    })
  })
})

describe('an owner’s time zone', () => {
  test('is UTC at first, and what they choose then', async () => {
    const { api } = await newOwner()
    expect(await api.account.timeZone()).toBe('UTC')
    await api.account.setTimeZone({ timeZone: 'Pacific/Auckland' })
    expect(await api.account.timeZone()).toBe('Pacific/Auckland')
  })

  test.each(['', 'Mars/Olympus', '+05:30', "'; DROP TABLE owner"])('%j is refused', async (timeZone) => {
    const { api } = await newOwner()
    await expect(api.account.setTimeZone({ timeZone })).rejects.toThrow()
    expect(await api.account.timeZone()).toBe('UTC')
  })
})
