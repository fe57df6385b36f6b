import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { changePassword, resetPassword } from '../accounts/change-password'
import { knownDeviceId } from '../accounts/device'
import { passwordCost } from '../accounts/password'
import { checkProviderSignIn, findOwnerByIdentity } from '../accounts/provider-sign-in'
import { clientAddress, networkPrefix } from '../accounts/rate-limit'
import { getSession, makeSessionCookie } from '../accounts/session'
import type { Session } from '../accounts/shape'
import { grantCredits } from '../credits/grant'
import { mainPool, prisma } from '../db'
import { env } from '../env'
import { createOwner } from '../operators/access'
import { COMMAND_LINE } from '../operators/operator'
import { handleAuth, rememberDevice, requireSameOrigin, signInWithPassword, signOut, signUpWithPassword } from './auth'

beforeAll(() => {
  Object.assign(env(), { SIGNUP: 'open', SIGNUP_CREDITS: 500 })
  // Hundreds of attempts are made; `password.test.ts` has the true cost.
  Object.assign(passwordCost, { memoryCost: 64, timeCost: 1 })
})
beforeEach(async () => {
  await mainPool().query('TRUNCATE owner, ledger, rate_window RESTART IDENTITY CASCADE')
  Object.assign(env(), { SIGNUP: 'open', sandbox: true })
})

const good = { email: 'Ada@Example.org ', password: 'correct horse battery' }
const from = (peer = '203.0.113.9', cookie = '') =>
  new Headers({ 'x-tollgate-peer': peer, origin: 'http://localhost:3000', ...(cookie && { cookie }) })
const asCookie = ({ name, value }: { name: string; value: string }) => `${name}=${value}`
const refusal = (code: string) => expect.objectContaining({ code })

describe('sign up', () => {
  test('makes an owner with the starting credits, an address in lower case, and a session', async () => {
    const cookie = await signUpWithPassword(good, from())
    const session = await getSession(from('', asCookie(cookie)))
    expect(session).toMatchObject({ email: 'ada@example.org', isAdmin: true })
    const account = await prisma().account.findUniqueOrThrow({ where: { ownerId: session?.personId ?? 0 } })
    expect(account.available).toBe(500n)
    expect(await prisma().ledger.findMany({ select: { amount: true, note: true } })).toEqual([
      { amount: 500n, note: 'sign-up' },
    ])
  })

  test('of ten at once on an empty database exactly one is admin', async () => {
    await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        signUpWithPassword({ ...good, email: `o${i}@example.org` }, from(`198.51.100.${i}`)),
      ),
    )
    expect(await prisma().owner.count({ where: { isAdmin: true } })).toBe(1)
  })

  test('of five concurrent sign-ups with one address one wins, four are refused, and the credits are granted once', async () => {
    const attempts = await Promise.allSettled(
      Array.from({ length: 5 }, (_, i) => signUpWithPassword(good, from(`198.51.100.${i}`))),
    )
    const refused = attempts.filter((t) => t.status === 'rejected')
    expect(refused.map((t) => t.reason)).toEqual(Array(4).fill(refusal('conflict')))
    expect(await prisma().ledger.count()).toBe(1)
  })

  test('where sign-up is closed only the first owner may', async () => {
    Object.assign(env(), { SIGNUP: 'closed' })
    await signUpWithPassword(good, from())
    await expect(signUpWithPassword({ ...good, email: 'b@example.org' }, from())).rejects.toEqual(refusal('forbidden'))
    expect(await prisma().owner.count()).toBe(1)
  })

  test('in live mode nobody becomes admin by being first, and closed means closed', async () => {
    Object.assign(env(), { SIGNUP: 'closed', sandbox: false })
    await expect(signUpWithPassword(good, from())).rejects.toEqual(refusal('forbidden'))
    Object.assign(env(), { SIGNUP: 'open' })
    const session = await getSession(from('', asCookie(await signUpWithPassword(good, from()))))
    expect(session).toMatchObject({ isAdmin: false })
    expect(await createOwner(COMMAND_LINE, { ...good, email: 'op@example.org', admin: true })).toMatchObject({
      isAdmin: true,
    })
  })

  test.each(['short', 'x'.repeat(201)])('a password of %s is refused and says why', async (password) => {
    await expect(signUpWithPassword({ ...good, password }, from())).rejects.toEqual(refusal('invalid_request'))
  })

  test('a credit grant that fails takes the owner with it', async () => {
    await mainPool().query('ALTER TABLE ledger ADD CONSTRAINT broken CHECK (amount < 0) NOT VALID')
    try {
      await expect(signUpWithPassword(good, from())).rejects.toThrow()
      expect(await prisma().owner.count()).toBe(0)
    } finally {
      await mainPool().query('ALTER TABLE ledger DROP CONSTRAINT broken')
    }
  })
})

describe('sign in', () => {
  test('a wrong password and an unknown address are answered alike', async () => {
    await signUpWithPassword(good, from())
    const wrong = await signInWithPassword({ ...good, password: 'wrong' }, from()).catch((e: Error) => e)
    const unknown = await signInWithPassword({ ...good, email: 'nobody@example.org' }, from()).catch((e: Error) => e)
    expect(wrong).toEqual(refusal('unauthorized'))
    expect({ ...unknown, stack: '' }).toEqual({ ...wrong, stack: '' })
  })

  test('an owner without a password cannot enter with one', async () => {
    await checkProviderSignIn({ provider: 'github', subject: '7', email: 'g@example.org', name: 'G' })
    await expect(
      signInWithPassword({ email: 'g@example.org', password: 'no one has this password' }, from()),
    ).rejects.toEqual(refusal('unauthorized'))
  })

  test('an operator-made owner enters too', async () => {
    await createOwner(COMMAND_LINE, { ...good, admin: true })
    const cookie = await signInWithPassword(good, from())
    expect(await getSession(from('', asCookie(cookie)))).toMatchObject({ isAdmin: true })
  })
})

describe('attempts to sign in', () => {
  const wrong = { ...good, password: 'wrong' }
  const code = (headers: Headers, input: object = wrong) =>
    signInWithPassword(input, headers).then(
      () => 'in',
      (e: { code: string }) => e.code,
    )
  /**
   * How often each code came back to attempts made at once, so that they fall into one minute, from
   * these addresses.
   */
  const codes = async (peers: readonly string[], inputOf: (i: number) => object = () => wrong) => {
    const all = await Promise.all(peers.map((peer, i) => code(from(peer), inputOf(i))))
    return Object.fromEntries([...new Set(all)].map((each) => [each, all.filter((other) => other === each).length]))
  }
  const others = (i: number) => ({ email: `u${i}@example.org`, password: 'x' })
  const peers = (n: number, peerOf: (i: number) => string) => Array.from({ length: n }, (_, i) => peerOf(i))

  test('wait after the tenth at one account from one network in a minute', async () => {
    expect(await codes(peers(11, (i) => `198.51.100.${i}`))).toEqual({ unauthorized: 10, rate_limited: 1 })
  })

  test('wait after the thirtieth from one address, whoever is tried', async () => {
    const all = peers(31, () => '203.0.113.9')
    expect(await codes(all, others)).toEqual({ unauthorized: 30, rate_limited: 1 })
  })

  test('wait after the hundred-and-twentieth from one network, however many addresses it has', async () => {
    const all = peers(121, (i) => `2001:db8:7:${i}::1`)
    expect(await codes(all, others)).toEqual({ unauthorized: 120, rate_limited: 1 })
  })

  test('of one network lock nobody out: an owner elsewhere signs in', async () => {
    await signUpWithPassword(good, from('192.0.2.1'))
    await codes(peers(200, (i) => `198.51.100.${i}`))
    expect(await code(from('192.0.2.1'), good)).toBe('in')
  })

  test('that the limit of their address refuses do not count against the account', async () => {
    const all = peers(30, () => '203.0.113.9')
    await codes(all, others)
    expect(await codes(all)).toEqual({ rate_limited: 30 })
    const { rows } = await mainPool().query(`SELECT id FROM rate_window WHERE id LIKE '%ada@%'`)
    expect(rows).toEqual([])
  })

  test('of many networks make strangers wait, and a device that signed in before does not', async () => {
    await signUpWithPassword(good, from('192.0.2.1'))
    const device = asCookie(rememberDevice(good.email, from('192.0.2.1')))
    expect(await codes(peers(45, (i) => `10.0.${i}.1`))).toEqual({ unauthorized: 40, rate_limited: 5 })
    expect(await code(from('192.0.2.1'), good)).toBe('rate_limited')
    expect(await code(from('192.0.2.1', device), good)).toBe('in')
    const own = await Promise.all(peers(10, () => '192.0.2.1').map((peer) => code(from(peer, device))))
    expect(own.filter((each) => each === 'unauthorized')).toHaveLength(9)
  })

  test('wait from a device that is known to another account, or invented, as from anybody', async () => {
    const device = asCookie(rememberDevice('else@example.org', from()))
    const [name, value = ''] = device.split('=')
    const [id] = value.split('.')
    await codes(peers(45, (i) => `10.0.${i}.1`))
    for (const cookie of [device, `${name}=${id}`, `${name}=${id}.AAAAAAAAAAAAAAAAAAAAAA`, `${name}=`])
      expect(await code(from('192.0.2.1', cookie))).toBe('rate_limited')
  })

  test('stay with a device for every account it signed in to, and for five at most', async () => {
    let jar = ''
    for (let i = 0; i < 7; i++) jar = asCookie(rememberDevice(`u${i}@example.org`, from('', jar)))
    const known = Array.from({ length: 7 }, (_, i) => knownDeviceId(from('', jar), `u${i}@example.org`) !== null)
    expect(known).toEqual([false, false, true, true, true, true, true])
  })

  test('have counters with other ids than those of keys', async () => {
    await code(from())
    const { rows } = await mainPool().query<{ id: string }>('SELECT id FROM rate_window')
    expect(rows.map(({ id }) => id).filter((id) => !id.startsWith('enter:'))).toEqual([])
    expect(rows).toHaveLength(4)
  })
})

test('opening accounts is counted by address, and never against the account of somebody else', async () => {
  await signUpWithPassword(good, from('192.0.2.1'))
  for (let i = 0; i < 29; i++) await signUpWithPassword(good, from('192.0.2.1')).catch(() => {})
  await expect(signUpWithPassword(good, from('192.0.2.1'))).rejects.toEqual(refusal('rate_limited'))
  expect(await signInWithPassword(good, from('198.51.100.1'))).toMatchObject({
    name: expect.stringContaining('session'),
  })
})

describe('session', () => {
  test('signing out everywhere voids every session, and the next sign-in works at once', async () => {
    const first = asCookie(await signUpWithPassword(good, from()))
    const second = asCookie(await signInWithPassword(good, from()))
    await signOut(from('', first), { everywhere: true })
    expect(await getSession(from('', first))).toBeNull()
    expect(await getSession(from('', second))).toBeNull()
    expect(await getSession(from('', asCookie(await signInWithPassword(good, from()))))).not.toBeNull()
  })

  test('a voided session is not renewed by asking for it', async () => {
    const cookie = asCookie(await signUpWithPassword(good, from()))
    await signOut(from('', cookie), { everywhere: true })
    const answer = await handleAuth(new Request('http://localhost:3000/api/auth/session', { headers: { cookie } }))
    expect(await answer.json()).toBeNull()
  })

  test('a key, a bearer token, a forged or a truncated cookie is nobody', async () => {
    const { name, value } = await signUpWithPassword(good, from())
    const bearers = [`Bearer ${value}`, 'Bearer tg_000000000000000000000000000000000000']
    for (const authorization of bearers) expect(await getSession(new Headers({ authorization }))).toBeNull()
    for (const bad of ['x', value.slice(0, -4), `${value}x`]) {
      expect(await getSession(new Headers({ cookie: `${name}=${bad}` }))).toBeNull()
    }
  })

  test('the session of an owner who is gone is nobody', async () => {
    const cookie = asCookie(await signUpWithPassword({ ...good }, from()))
    await mainPool().query('TRUNCATE owner CASCADE')
    expect(await getSession(from('', cookie))).toBeNull()
  })
})

describe('a session that was signed out', () => {
  test('is nobody for whoever kept a copy of its cookie; other browsers stay signed in', async () => {
    const here = asCookie(await signUpWithPassword(good, from()))
    const there = asCookie(await signInWithPassword(good, from()))
    await signOut(from('', here))
    expect(await getSession(from('', here))).toBeNull()
    expect(await getSession(from('', there))).not.toBeNull()
  })

  test('over Auth.js’s own path is nobody too', async () => {
    const cookie = asCookie(await signUpWithPassword(good, from()))
    const at = (path: string, init?: RequestInit) =>
      handleAuth(new Request(`http://localhost:3000/api/auth${path}`, { redirect: 'manual', ...init }))
    const csrf = await at('/csrf')
    const { csrfToken } = (await csrf.json()) as { csrfToken: string }
    const cookies = [cookie, ...csrf.headers.getSetCookie().map((c) => c.split(';')[0])].join('; ')
    const body = new URLSearchParams({ csrfToken })
    await at('/signout', { method: 'POST', body, headers: { cookie: cookies } })
    expect(await getSession(from('', cookie))).toBeNull()
  })
})

describe('a password', () => {
  const next = 'another good password'
  const change = async (cookie: string, input: { current: string; password: string }) =>
    changePassword((await getSession(from('', cookie))) as Session, input)

  test('changes for who knows it, and signs every other browser out', async () => {
    const here = asCookie(await signUpWithPassword(good, from()))
    const there = asCookie(await signInWithPassword(good, from()))
    await change(here, { current: good.password, password: next })
    expect(await getSession(from('', here))).not.toBeNull()
    expect(await getSession(from('', there))).toBeNull()
    await expect(signInWithPassword(good, from())).rejects.toEqual(refusal('unauthorized'))
    expect(await signInWithPassword({ ...good, password: next }, from())).toBeTruthy()
  })

  test('does not change for who does not know it', async () => {
    const here = asCookie(await signUpWithPassword(good, from()))
    const attempt = change(here, { current: 'wrong', password: next })
    await expect(attempt).rejects.toMatchObject({ code: 'invalid_request', detail: { issues: [{ path: 'current' }] } })
    expect(await signInWithPassword(good, from())).toBeTruthy()
  })

  test('can be set by an owner who came through a provider', async () => {
    await checkProviderSignIn({ provider: 'github', subject: '7', email: 'g@example.org', name: 'G' })
    const owner = await prisma().owner.findUniqueOrThrow({ where: { email: 'g@example.org' } })
    await change(asCookie(await makeSessionCookie(owner)), { current: '', password: next })
    expect(await signInWithPassword({ email: 'g@example.org', password: next }, from())).toBeTruthy()
  })

  test('is reset by the operator, which ends every session', async () => {
    const here = asCookie(await signUpWithPassword(good, from()))
    await resetPassword('ada@example.org', next)
    expect(await getSession(from('', here))).toBeNull()
    expect(await signInWithPassword({ ...good, password: next }, from())).toBeTruthy()
    await expect(resetPassword('ada@example.org', 'short')).rejects.toEqual(refusal('invalid_request'))
    await expect(resetPassword('nobody@example.org', next)).rejects.toEqual(refusal('not_found'))
  })
})

describe('visitors from a provider', () => {
  const visitor = { provider: 'github' as const, subject: '42', email: 'ada@example.org', name: 'Ada' }

  test('are never linked to an owner by e-mail', async () => {
    await signUpWithPassword(good, from())
    expect(await checkProviderSignIn(visitor)).toBe('email_taken')
    expect(await findOwnerByIdentity(visitor)).toBeNull()
  })

  test('get an account once, however often and however many at once they come', async () => {
    expect(
      await Promise.all([checkProviderSignIn(visitor), checkProviderSignIn(visitor), checkProviderSignIn(visitor)]),
    ).toEqual([null, null, null])
    expect(await checkProviderSignIn({ ...visitor, email: 'new@example.org' })).toBeNull()
    expect(await prisma().owner.count()).toBe(1)
    expect(await findOwnerByIdentity(visitor)).toMatchObject({ email: 'ada@example.org' })
  })

  test('without an e-mail address, or where sign-up is closed, are refused with the reason', async () => {
    expect(await checkProviderSignIn({ ...visitor, email: null })).toBe('email_missing')
    await signUpWithPassword({ ...good, email: 'first@example.org' }, from())
    Object.assign(env(), { SIGNUP: 'closed' })
    expect(await checkProviderSignIn(visitor)).toBe('closed')
  })
})

describe('Auth.js over HTTP', () => {
  const at = (path: string, init?: RequestInit) =>
    handleAuth(new Request(`http://0.0.0.0:1/api/auth${path}`, { redirect: 'manual', ...init }))

  test('a form with its CSRF token signs in, and redirects go to PUBLIC_URL', async () => {
    await signUpWithPassword(good, from())
    const csrf = await at('/csrf')
    const { csrfToken } = (await csrf.json()) as { csrfToken: string }
    const cookie = csrf.headers
      .getSetCookie()
      .map((c) => c.split(';')[0])
      .join('; ')
    const body = new URLSearchParams({ ...good, csrfToken })
    const answer = await at('/callback/credentials', { method: 'POST', body, headers: { cookie } })
    expect(answer.headers.get('location')).toBe('http://localhost:3000')
    const session = answer.headers.getSetCookie().find((c) => c.startsWith('authjs.session-token='))
    expect(session).toMatch(/HttpOnly/i)
    expect(await getSession(new Headers({ cookie: session?.split(';')[0] ?? '' }))).not.toBeNull()
  })

  test('a POST from another site is refused', async () => {
    const headers = { origin: 'https://evil.example', host: 'localhost:3000' }
    await expect(at('/signout', { method: 'POST', headers })).rejects.toEqual(refusal('forbidden'))
  })

  test.each([
    [{ origin: 'null' }, false],
    [{ 'sec-fetch-site': 'cross-site' }, false],
    [{ origin: 'http://localhost:3000' }, true],
    [{ origin: 'http://127.0.0.1:3000', host: '127.0.0.1:3000' }, true],
    [{ origin: 'http://127.0.0.1:3001', host: '127.0.0.1:3000' }, false],
    [{}, true],
  ])('a change asked with %j is taken: %s', (headers, fine) => {
    const ask = () => requireSameOrigin(new Headers(headers as Record<string, string>))
    if (fine) expect(ask).not.toThrow()
    else expect(ask).toThrow('another site')
  })
})

describe('the address a limit counts', () => {
  const seen = (hops: number, forwarded: string, peer = '10.0.0.1') =>
    clientAddress(new Headers({ 'x-forwarded-for': forwarded, 'x-tollgate-peer': peer }), hops)

  test.each([
    [0, '1.1.1.1', '10.0.0.1'],
    [1, '6.6.6.6, 1.1.1.1', '1.1.1.1'],
    [2, '6.6.6.6, 1.1.1.1, 10.0.0.2', '1.1.1.1'],
    [3, '1.1.1.1', '1.1.1.1'],
    [1, '', '10.0.0.1'],
    [1, 'not-an-address', '10.0.0.1'],
    [1, '2001:db8::1', '2001:db8:0:0::/64'],
    [1, '2001:db8:0:0:ffff::2', '2001:db8:0:0::/64'],
    [1, '::ffff:1.1.1.1', '1.1.1.1'],
  ])('with %i trusted hops and "%s" is %s', (hops, forwarded, address) => {
    expect(seen(hops, forwarded)).toBe(address)
  })

  test.each([
    ['1.2.3.4', '1.2.3.0/24'],
    ['2001:db8:0:0::/64', '2001:db8:0::/48'],
    ['2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['local', null],
  ])('%s is in the network %s', (address, network) => {
    expect(networkPrefix(address)).toBe(network)
  })

  test('is local where no server passed the peer on', () => {
    expect(clientAddress(new Headers(), 0)).toBe('local')
  })
})

test('a correction by the operator works on an account that signed up', async () => {
  const { id } = await createOwner(COMMAND_LINE, good)
  expect(await grantCredits(id, 5n)).toBe(5n)
})
