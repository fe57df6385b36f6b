import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { authConfig } from '../../server/accounts/auth-config'
import { isPublicDomain } from '../../server/accounts/issuer/domains'
import { acceptInvitation } from '../../server/api/account-links'
import { handleAuth, startProviderSignIn } from '../../server/api/auth'
import { findSession } from '../../server/api/caller'
import { mainPool, prisma } from '../../server/db'
import { env } from '../../server/env'
import { withSandbox } from '../support/api'
import { browserHeaders, callAs, forgetAttempts, PASSWORD, signInAgain, signUpSomebody } from '../support/signed-in'

const ISSUER = 'https://login.example.net/staff'

type Said = Record<string, unknown>
/** What the issuer says next: in the ID token, and at its userinfo endpoint. */
let said: { token: Said; userinfo: Said }

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** An issuer, as far as signing in asks it. */
async function issuer(input: RequestInfo | URL): Promise<Response> {
  const { href } = new URL(input instanceof Request ? input.url : input)
  if (href === `${ISSUER}/.well-known/openid-configuration`)
    return Response.json({
      issuer: ISSUER,
      authorization_endpoint: `${ISSUER}/auth`,
      token_endpoint: `${ISSUER}/token`,
      userinfo_endpoint: `${ISSUER}/me`,
      code_challenge_methods_supported: ['S256'],
    })
  if (href === `${ISSUER}/token`) {
    const now = Math.floor(Date.now() / 1_000)
    const claims = { iss: ISSUER, aud: 'tollgate', iat: now, exp: now + 60, ...said.token }
    const id_token = `${part({ alg: 'RS256' })}.${part(claims)}.${part({})}`
    return Response.json({ access_token: 'a', token_type: 'bearer', id_token })
  }
  if (href === `${ISSUER}/me`) return Response.json({ sub: said.token.sub, ...said.userinfo })
  throw new Error(`nobody answers ${href}`)
}

withSandbox()
const before = { SIGNUP: env().SIGNUP, AUTH_OIDC_ISSUER: env().AUTH_OIDC_ISSUER }
const setUp = () => {
  Object.assign(env(), {
    SIGNUP: 'open',
    AUTH_OIDC_ISSUER: ISSUER,
    AUTH_OIDC_ID: 'tollgate',
    AUTH_OIDC_SECRET: 'secret',
    AUTH_OIDC_NAME: 'Acme',
  })
  authConfig.reset()
}
beforeEach(async () => {
  setUp()
  vi.stubGlobal('fetch', issuer)
  await forgetAttempts()
  await mainPool().query('DELETE FROM join_domain')
})
afterEach(() => vi.unstubAllGlobals())
afterAll(() => {
  Object.assign(env(), before)
  authConfig.reset()
})

let people = 0
/** A new person of the issuer's, with an address of a domain that is theirs. */
function somebodyAt(domain: string, claims: Said = {}): Said {
  const name = `p${++people}`
  return { sub: name, email: `${name}@${domain}`, email_verified: true, name, ...claims }
}
const newDomain = () => `d${++people}-acme.example`

type Return = { answer: Response; location: string; cookie: string }

/** There and back: what a browser does between our redirect and the callback. */
async function comeBack(
  token: Said,
  { userinfo = {}, query = {} as Record<string, string>, next = '/keys' } = {},
): Promise<Return> {
  const started = await startProviderSignIn({ provider: 'oidc', next }, browserHeaders())
  const to = new URL(started.redirect ?? '')
  const { state, nonce, ...asked } = Object.fromEntries(to.searchParams)
  expect(asked).toMatchObject({
    client_id: 'tollgate',
    code_challenge_method: 'S256',
    redirect_uri: `${env().PUBLIC_URL}/api/auth/callback/oidc`,
    scope: 'openid email profile',
  })
  said = { token: { nonce, ...token }, userinfo }
  const back = `http://inside:1/api/auth/callback/oidc?${new URLSearchParams({ code: 'c', state: String(state), ...query })}`
  const cookie = (started.cookies ?? []).map(({ name, value }) => `${name}=${value}`).join('; ')
  const headers = browserHeaders()
  headers.set('cookie', cookie)
  const answer = await handleAuth(new Request(back, { headers }))
  return {
    answer,
    location: (answer.headers.get('location') ?? '').replace(env().PUBLIC_URL, ''),
    cookie: answer.headers
      .getSetCookie()
      .map((one) => one.split(';')[0] ?? '')
      .filter((one) => !one.endsWith('='))
      .join('; '),
  }
}

/** The procedures for whoever came back. */
async function enter(token: Said, userinfo: Said = {}, next = '/keys') {
  const { cookie, location } = await comeBack(token, { userinfo, next })
  expect(location).toBe(next)
  const [name = '', value = ''] =
    cookie
      .split('; ')
      .find((one) => one.startsWith('authjs.session'))
      ?.split(/=(.*)/s) ?? []
  const headers = browserHeaders({ name, value })
  const session = await findSession(headers)
  if (!session) throw new Error('there is no session')
  return { session, id: session.personId, cookie: { name, value }, api: callAs({ name, value }) }
}

/** Somebody whose account lets a domain of theirs in. */
async function accountWithDomain(role: 'developer' | 'viewer' = 'developer') {
  const domain = newDomain()
  const host = await enter(somebodyAt(domain))
  await host.api.issuer.saveDomain({ domain, role })
  return { ...host, domain }
}

const roleOf = async (accountId: number, personId: number) =>
  (await prisma().member.findUnique({ where: { accountId_personId: { accountId, personId } } }))?.role
const linesOf = async (ownerId: number, action: string) =>
  prisma().auditEvent.findMany({ where: { ownerId, action }, orderBy: { id: 'asc' } })

describe('a visitor from the issuer', () => {
  test('with a verified address gets an account by the rules of sign-up, and the same one the next time', async () => {
    const visitor = somebodyAt(newDomain())
    const first = await enter(visitor)
    expect(first.session).toMatchObject({ email: visitor.email, account: { role: 'owner' } })
    expect((await enter(visitor)).id).toBe(first.id)
    expect(await first.api.account.profile()).toMatchObject({ hasPassword: false })
    Object.assign(env(), { SIGNUP: 'closed' })
    expect((await enter(visitor)).id).toBe(first.id)
    expect((await comeBack(somebodyAt(newDomain()))).location).toBe('/signin?error=closed')
  })

  test.each([
    ['false', { email_verified: false }],
    ['missing', { email_verified: undefined }],
    ['another word', { email_verified: 'yes' }],
    ['true without an address', { email: undefined }],
  ])('whose address is not verified (%s) is refused', async (_, claims) => {
    const { location, cookie } = await comeBack(somebodyAt(newDomain(), claims))
    expect(location).toBe('/signin?error=email_unverified')
    expect(cookie).not.toContain('session-token')
  })

  test('is known by issuer and subject: the same subject of another issuer is somebody else', async () => {
    const visitor = somebodyAt(newDomain())
    const { id } = await enter(visitor)
    await prisma().login.updateMany({
      where: { ownerId: id },
      data: { subject: `https://other.example ${visitor.sub}` },
    })
    expect((await comeBack(visitor)).location).toBe('/signin?error=link&next=/settings/security')
  })

  test('has claims from the ID token before those of the userinfo endpoint, which adds the rest', async () => {
    const [visitor, other] = [somebodyAt(newDomain()), somebodyAt(newDomain())]
    expect((await enter(visitor, { email: other.email })).session.email).toBe(visitor.email)
    const { sub, ...rest } = other
    expect((await enter({ sub }, rest)).session.email).toBe(other.email)
  })

  test.each([
    ['another state', {}, { state: 'x' }],
    ['another nonce', { nonce: 'x' }, {}],
    ['another audience', { aud: 'x' }, {}],
    ['another issuer', { iss: 'https://other.example' }, {}],
    ['an error', {}, { error: 'access_denied' }],
  ])('with %s is refused', async (_, claims, query: Record<string, string>) => {
    const { location, cookie } = await comeBack({ ...somebodyAt(newDomain()), ...claims }, { query })
    expect(location).toMatch(/^\/signin\?error=/)
    expect(cookie).not.toContain('session-token')
  })

  test('comes to the sign-in page where the issuer is not reached', async () => {
    vi.stubGlobal('fetch', async () => {
      throw new TypeError('fetch failed')
    })
    expect(await startProviderSignIn({ provider: 'oidc', next: '/keys' }, browserHeaders())).toEqual({})
  })
})

describe('an address that somebody has here', () => {
  test('links nothing until its owner has signed in, and then both ways lead to them', async () => {
    const { id, email } = await signUpSomebody()
    const visitor = { sub: `s${++people}`, email, email_verified: true }
    const { location, cookie } = await comeBack(visitor)
    expect(location).toBe('/signin?error=link&next=/settings/security')
    expect(cookie).not.toContain('session-token')
    expect(await prisma().login.count({ where: { ownerId: id } })).toBe(0)

    const { cookie: signedIn } = await signInAgain(email, PASSWORD)
    const both = { name: signedIn.name, value: `${signedIn.value}; ${cookie}` }
    expect(await callAs(both).issuer.link()).toMatchObject({ isLinked: false, offered: email })
    await callAs(both).issuer.saveLink()
    expect(await linesOf(id, 'sign_in_linked')).toHaveLength(1)
    const entered = await enter(visitor)
    expect(entered.id).toBe(id)
    await entered.api.issuer.removeLink()
    expect((await comeBack(visitor)).location).toMatch(/error=link/)
  })

  test('is linked to no one else, and to nobody without a fresh proof', async () => {
    const [victim, other] = [await signUpSomebody(), await signUpSomebody()]
    const { cookie } = await comeBack({ sub: `s${++people}`, email: victim.email, email_verified: true })
    const withLink = (signedIn: { name: string; value: string }) => ({
      name: signedIn.name,
      value: `${signedIn.value}; ${cookie}`,
    })
    expect(await callAs(withLink(other.cookie)).issuer.link()).toMatchObject({ offered: null })
    await expect(callAs(withLink(other.cookie)).issuer.saveLink()).rejects.toThrow('This took too long')
    await mainPool().query("UPDATE session SET verified_at = now() - interval '11 minutes'")
    await expect(callAs(withLink(victim.cookie)).issuer.saveLink()).rejects.toThrow('Confirm that it is you')
    expect(await prisma().login.count({ where: { ownerId: { in: [victim.id, other.id] } } })).toBe(0)
  })

  test('stays the only way in of who has no other', async () => {
    const { api } = await enter(somebodyAt(newDomain()))
    expect(await api.issuer.link()).toMatchObject({ isLinked: true, mayUnlink: false })
    await expect(api.issuer.removeLink()).rejects.toThrow('It is your only way to sign in')
  })
})

describe('an invitation', () => {
  test('lets in who comes from the issuer, also where sign-up is closed', async () => {
    const { api, id: accountId } = await signUpSomebody()
    const { url } = await api.members.invite({ role: 'billing' })
    const next = (url ?? '').replace(env().PUBLIC_URL, '')
    Object.assign(env(), { SIGNUP: 'closed' })
    const { session, cookie } = await enter(somebodyAt(newDomain()), {}, next)
    expect(session.account).toBeNull()
    await acceptInvitation(next.split('token=')[1] ?? '', browserHeaders(cookie))
    expect(await roleOf(accountId, session.personId)).toBe('billing')
    expect((await comeBack(somebodyAt(newDomain()), { next })).location).toBe('/signin?error=closed')
  })

  test('to an address lets nobody else in', async () => {
    const { api } = await signUpSomebody()
    const visitor = somebodyAt(newDomain())
    const { url } = await api.members.invite({ role: 'viewer', email: String(visitor.email) })
    const next = (url ?? '').replace(env().PUBLIC_URL, '')
    Object.assign(env(), { SIGNUP: 'closed' })
    expect((await comeBack(somebodyAt(newDomain()), { next })).location).toBe('/signin?error=closed')
    await enter(visitor, {}, next)
  })
})

describe('a domain of an account', () => {
  test('lets in who comes from the issuer with a verified address of it, also where sign-up is closed', async () => {
    const { id: accountId, domain } = await accountWithDomain('viewer')
    Object.assign(env(), { SIGNUP: 'closed' })
    const visitor = somebodyAt(domain.toUpperCase())
    const { session, id } = await enter(visitor)
    expect(session.account).toMatchObject({ accountId, role: 'viewer' })
    expect((await prisma().account.count({ where: { ownerId: id } })) > 0).toBe(false)
    expect(await linesOf(accountId, 'member_joined')).toMatchObject([{ detail: { role: 'viewer', domain } }])
    for (const claims of [
      { email_verified: false },
      { email: `x@sub.${domain}` },
      { email: `x@${domain}.evil.example` },
    ])
      expect((await comeBack(somebodyAt(domain, claims))).location).toMatch(/error=(email_unverified|closed)/)
  })

  test('lets in who had an account before, beside it', async () => {
    const { id: accountId, domain } = await accountWithDomain()
    const visitor = somebodyAt(newDomain())
    const { id } = await enter(visitor)
    await enter({ ...visitor, email: `moved${people}@${domain}` })
    expect(await roleOf(accountId, id)).toBe('developer')
    expect(await roleOf(id, id)).toBe('owner')
  })

  test('lets nobody in again who was taken out', async () => {
    const { id: accountId, domain, api } = await accountWithDomain()
    const visitor = somebodyAt(domain)
    const { id } = await enter(visitor)
    await api.members.remove({ personId: id })
    await enter(visitor)
    expect(await roleOf(accountId, id)).toBeUndefined()
  })

  test('is added only with an own verified address of it, and belongs to one account', async () => {
    const { domain, api } = await accountWithDomain()
    const add = (who: typeof api, name: string) => who.issuer.saveDomain({ domain: name, role: 'developer' })
    await expect(add(api, newDomain())).rejects.toThrow('Sign in with Acme and an address of')
    const { api: colleague, id } = await enter(somebodyAt(newDomain()))
    await prisma().login.updateMany({ where: { ownerId: id }, data: { email: `x@${domain}` } })
    expect(await colleague.issuer.rules()).toMatchObject({ claimable: null, refused: 'taken' })
    await expect(add(colleague, domain)).rejects.toThrow('Another account has')
    await prisma().login.updateMany({ where: { ownerId: id }, data: { email: 'x@gmail.com' } })
    expect(await colleague.issuer.rules()).toMatchObject({ claimable: null, refused: 'public' })
    await expect(add(colleague, 'gmail.com')).rejects.toThrow('Anybody can have an address of gmail.com')
    const withPassword = await signUpSomebody()
    expect(await withPassword.api.issuer.rules()).toMatchObject({ claimable: null, refused: 'no_address' })
    await expect(add(withPassword.api, 'somewhere.example')).rejects.toThrow('Sign in with Acme')
    await api.issuer.removeDomain({ domain })
    await expect(api.issuer.removeDomain({ domain })).rejects.toThrow('There is no such domain')
  })

  test('is nobody’s without an issuer, and is free again once the account is deleted', async () => {
    const { id: accountId, domain, api, session } = await accountWithDomain()
    Object.assign(env(), { AUTH_OIDC_ISSUER: undefined })
    expect(await api.issuer.rules()).toBeNull()
    await expect(api.issuer.saveDomain({ domain, role: 'viewer' })).rejects.toThrow('No OpenID Connect issuer')
    setUp()
    await api.account.delete({ email: session.email, password: '' })
    expect(await prisma().joinDomain.count({ where: { accountId } })).toBe(0)
  })

  test('is changed by owners and admins alone', async () => {
    const { domain } = await accountWithDomain()
    const { api } = await enter(somebodyAt(domain))
    await expect(api.issuer.rules()).rejects.toThrow('This needs the role admin')
    await expect(api.issuer.removeDomain({ domain })).rejects.toThrow('This needs the role admin')
  })

  test.each(['gmail.com', 'outlook.com', 'posteo.de', 'fastmail.com', 'qq.com'])('is never %s', (domain) => {
    expect(isPublicDomain(domain)).toBe(true)
  })
})

describe('groups of the issuer', () => {
  test('give a joiner the highest of their roles at each sign-in, and take it away again', async () => {
    const { id: accountId, domain, api } = await accountWithDomain()
    await api.issuer.saveGroup({ group: 'finance', role: 'billing' })
    await api.issuer.saveGroup({ group: 'leads', role: 'admin' })
    const visitor = somebodyAt(domain)
    const rolesIn: unknown[] = []
    for (const groups of [['finance'], ['finance', 'leads', 'other'], ['other'], undefined, 'leads']) {
      const { id } = await enter({ ...visitor, groups })
      rolesIn.push(await roleOf(accountId, id))
    }
    expect(rolesIn).toEqual(['billing', 'admin', 'developer', 'developer', 'developer'])
    expect(
      (await linesOf(accountId, 'member_role_changed')).map(({ actorKind, detail }) => [actorKind, detail]),
    ).toEqual([
      ['system', { role: 'admin', from: 'billing', byGroups: true }],
      ['system', { role: 'developer', from: 'admin', byGroups: true }],
    ])
    await api.issuer.removeDomain({ domain })
    const { id } = await enter({ ...visitor, groups: [] })
    expect(await roleOf(accountId, id)).toBe('viewer')
  })

  test('are read from the claim that the operator names', async () => {
    const { id: accountId, domain, api } = await accountWithDomain()
    await api.issuer.saveGroup({ group: 'leads', role: 'admin' })
    Object.assign(env(), { AUTH_OIDC_GROUPS_CLAIM: 'https://acme.example/roles' })
    const { id } = await enter(somebodyAt(domain, { 'https://acme.example/roles': ['leads'] }))
    Object.assign(env(), { AUTH_OIDC_GROUPS_CLAIM: 'groups' })
    expect(await roleOf(accountId, id)).toBe('admin')
  })

  test('change no role that was given by hand or by an invitation', async () => {
    const { id: accountId, domain, api } = await accountWithDomain()
    await api.issuer.saveGroup({ group: 'leads', role: 'admin' })
    const visitor = somebodyAt(domain)
    const { id } = await enter(visitor)
    await api.members.changeRole({ personId: id, role: 'viewer' })
    await enter({ ...visitor, groups: ['leads'] })
    expect(await roleOf(accountId, id)).toBe('viewer')
  })

  test('never take the last owner away', async () => {
    const host = await accountWithDomain()
    await host.api.issuer.saveGroup({ group: 'founders', role: 'owner' })
    const visitor = somebodyAt(host.domain, { groups: ['founders'] })
    const { id } = await enter(visitor)
    expect(await roleOf(host.id, id)).toBe('owner')
    await host.api.members.leave()
    await enter({ ...visitor, groups: [] })
    expect(await roleOf(host.id, id)).toBe('owner')
    expect(await linesOf(host.id, 'member_role_changed')).toEqual([])
  })

  test('that make owners are for owners', async () => {
    const { api, domain } = await accountWithDomain()
    await api.issuer.saveGroup({ group: 'leads', role: 'admin' })
    await api.issuer.saveGroup({ group: 'founders', role: 'owner' })
    const { api: admin } = await enter(somebodyAt(domain, { groups: ['leads'] }))
    await expect(admin.issuer.saveGroup({ group: 'leads', role: 'owner' })).rejects.toThrow('only owners make')
    await expect(admin.issuer.saveGroup({ group: 'founders', role: 'viewer' })).rejects.toThrow('only owners make')
    await expect(admin.issuer.removeGroup({ group: 'founders' })).rejects.toThrow('only owners make')
    await admin.issuer.removeGroup({ group: 'leads' })
  })

  test('write their line in the transaction that gives the role', async () => {
    const { id: accountId, domain, api } = await accountWithDomain()
    await api.issuer.saveGroup({ group: 'leads', role: 'admin' })
    const visitor = somebodyAt(domain)
    const { id } = await enter(visitor)
    await mainPool().query(`CREATE FUNCTION refuse_line() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN IF NEW.action = 'member_role_changed' THEN RAISE 'refused'; END IF; RETURN NEW; END $$;
      CREATE TRIGGER refuse_line BEFORE INSERT ON audit_event FOR EACH ROW EXECUTE FUNCTION refuse_line()`)
    try {
      expect((await comeBack({ ...visitor, groups: ['leads'] })).location).toMatch(/^\/signin\?error=/)
    } finally {
      await mainPool().query('DROP TRIGGER refuse_line ON audit_event; DROP FUNCTION refuse_line()')
    }
    expect(await roleOf(accountId, id)).toBe('developer')
  })
})

describe('a second factor', () => {
  test.each([
    ['amr mfa', { amr: ['pwd', 'mfa'] }, false],
    ['amr otp', { amr: ['otp'] }, false],
    ['amr hwk', { amr: ['hwk'] }, false],
    ['acr phr', { acr: 'phr' }, false],
    ['a password', { amr: ['pwd'] }, true],
    ['a text message', { amr: ['pwd', 'sms'] }, true],
    ['nothing', {}, true],
  ])('that an account asks for is there, or not, by what the issuer says: %s', async (_, claims, lacks) => {
    const { api, domain } = await accountWithDomain()
    await api.members.setRequiresFactor({ isOn: true })
    const { session } = await enter(somebodyAt(domain, claims))
    expect(session.lacksFactor).toBe(lacks)
  })

  test('is never believed of the userinfo endpoint', async () => {
    const { api, domain } = await accountWithDomain()
    await api.members.setRequiresFactor({ isOn: true })
    expect((await enter(somebodyAt(domain), { amr: ['mfa'], acr: 'phr' })).session.lacksFactor).toBe(true)
  })

  test('of their own is asked for where the issuer asked for none', async () => {
    const visitor = somebodyAt(newDomain())
    const { id } = await enter(visitor)
    await prisma().passkey.create({
      data: { id: `k${id}`, ownerId: id, name: 'x', publicKey: new Uint8Array(1), counter: 0 },
    })
    const { location, cookie } = await comeBack(visitor)
    expect(location).toBe('/signin/second-factor?next=%2Fkeys')
    expect(cookie).not.toContain('session-token')
    await enter({ ...visitor, amr: ['mfa'] })
  })
})

describe('a proof of who is signed in', () => {
  test('is as old as the sign-in at the issuer', async () => {
    const visitor = somebodyAt(newDomain())
    const anHourAgo = Math.floor(Date.now() / 1_000) - 3_600
    const { api } = await enter({ ...visitor, auth_time: anHourAgo })
    await expect(api.account.beginExport()).rejects.toThrow('Confirm that it is you')
    expect(await api.security.proofs()).toMatchObject({ password: false, providers: [{ id: 'oidc', name: 'Acme' }] })
    const again = await enter({ ...visitor, auth_time: anHourAgo + 3_600 })
    await again.api.account.beginExport()
  })

  test('is asked of the issuer anew', async () => {
    const { redirect } = await startProviderSignIn({ provider: 'oidc', next: '/x', anew: true }, browserHeaders())
    expect(Object.fromEntries(new URL(redirect ?? '').searchParams)).toMatchObject({ prompt: 'login', max_age: '0' })
  })
})
