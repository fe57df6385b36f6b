import { Secret, TOTP } from 'otpauth'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createResetLink } from '../../server/accounts/password-reset'
import { findResetLink } from '../../server/api/account-links'
import { findSession } from '../../server/api/caller'
import { makeContext } from '../../server/api/context'
import { appRouter } from '../../server/api/router'
import { createCallerFactory } from '../../server/api/trpc'
import { mainPool, prisma } from '../../server/db'
import { env } from '../../server/env'
import { accountExportHandler } from '../../server/http/account-export'
import { withSandbox } from '../support/api'
import { makeOperator } from '../support/operators'
import { makeOwner } from '../support/owners'
import { browserHeaders, forgetAttempts, signUpSomebody } from '../support/signed-in'

withSandbox()
beforeEach(forgetAttempts)

const createCaller = createCallerFactory(appRouter)

type Procedure = { _def: { type: string; meta?: { stepUp?: unknown; reachedWithoutFactor?: true } } }
const procedures = Object.entries(appRouter._def.procedures as unknown as Record<string, Procedure>)
const namesWhere = (test: (procedure: Procedure['_def']) => boolean) =>
  procedures.flatMap(([name, { _def }]) => (test(_def) ? [name] : []))

/** Calls a procedure by its name. */
const callBy = (headers: Headers, name: string): Promise<unknown> => {
  let at: unknown = createCaller(makeContext({ via: 'session', headers }))
  for (const part of name.split('.')) at = (at as Record<string, unknown>)[part]
  return (at as (input: unknown) => Promise<unknown>)({})
}

const NEEDS_PROOF = { code: 'FORBIDDEN', cause: { detail: { stepUp: true } } }
const ageProofs = (ownerId: number) =>
  mainPool().query("UPDATE session SET verified_at = now() - interval '11 minutes' WHERE owner_id = $1", [ownerId])

describe('a fresh proof of who is signed in', () => {
  test('is needed, always or by a rule, for these acts of owners and no others', () => {
    expect({
      always: namesWhere(({ meta }) => meta?.stepUp === true).sort(),
      byRule: namesWhere(({ meta }) => typeof meta?.stepUp === 'function').sort(),
    }).toEqual({
      always: [
        'account.beginExport',
        'account.changeEmail',
        'issuer.removeLink',
        'issuer.saveDomain',
        'issuer.saveGroup',
        'issuer.saveLink',
        'keys.createManagement',
        'members.changeRole',
        'members.deleteAccount',
        'members.invite',
        'members.setRequiresFactor',
        'security.addPasskey',
        'security.beginApp',
        'security.beginPasskey',
        'security.confirm',
        'security.confirmApp',
        'security.makeRecoveryCodes',
        'security.removeApp',
        'security.removePasskey',
      ],
      byRule: [
        // Without a password, which they ask for otherwise.
        'account.changePassword',
        'account.delete',
        // For a large budget.
        'consent.allow',
        'keys.change',
        'keys.create',
        'keys.rotate',
      ],
    })
  })

  const acts = procedures.flatMap(([name, { _def }]) =>
    name.startsWith('operators.') && _def.type === 'mutation' ? [name] : [],
  )

  test('is needed for every act of operators, and for nothing that they read', async () => {
    const { owner, api, cookie } = await makeOperator()
    await ageProofs(owner.id)
    const headers = browserHeaders(cookie)
    expect(acts.length).toBeGreaterThan(10)
    for (const name of acts) await expect(callBy(headers, name), name).rejects.toMatchObject(NEEDS_PROOF)
    await api.operators.owners.list({})
    await api.operators.workers()
  })

  test('is needed for the export of an account, also where the handler is called', async () => {
    const { id, cookie } = await signUpSomebody()
    const download = () =>
      accountExportHandler(
        new Request(`${env().PUBLIC_URL}/settings/account/export`, { headers: browserHeaders(cookie) }),
      )
    expect((await download()).status).toBe(200)
    await ageProofs(id)
    expect((await download()).status).toBe(403)
  })

  test('is needed for a first password, and for deletion without one', async () => {
    const { id, email, api } = await signUpSomebody()
    await mainPool().query('UPDATE owner SET password_hash = NULL WHERE id = $1', [id])
    await ageProofs(id)
    const password = 'a quite different one'
    await expect(api.account.changePassword({ current: '', password })).rejects.toMatchObject(NEEDS_PROOF)
    await expect(api.account.delete({ email, password: '' })).rejects.toMatchObject(NEEDS_PROOF)
  })
})

describe('an operator without a second factor', () => {
  const original = { sandbox: env().sandbox }
  const goLive = () => Object.assign(env(), { sandbox: false })
  afterEach(() => Object.assign(env(), original))

  test('is offered one in sandbox mode, and goes on without', async () => {
    const { api, cookie } = await makeOperator()
    await api.operators.owners.list({})
    expect(await api.security.overview()).toMatchObject({ isRequired: false })
    expect(await findSession(browserHeaders(cookie))).toMatchObject({ lacksFactor: false })
  })

  test('reaches what sets one up in live mode and nothing else, and then everything', async () => {
    const { owner, api, cookie } = await makeOperator()
    goLive()
    expect(await findSession(browserHeaders(cookie))).toMatchObject({ lacksFactor: true })
    const reached = namesWhere(({ meta }) => meta?.reachedWithoutFactor === true)
    expect(reached.filter((name) => !name.startsWith('security.'))).toEqual(['account.me'])
    const closed = procedures.map(([name]) => name).filter((name) => !/^(public|visitor)\./.test(name))
    for (const name of closed.filter((each) => !reached.includes(each)))
      await expect(callBy(browserHeaders(cookie), name), name).rejects.toThrow('You need a second factor here')
    await api.account.me()

    const { secret } = await api.security.beginApp()
    await api.security.confirmApp({ code: new TOTP({ secret: Secret.fromBase32(secret) }).generate() })
    await api.operators.owners.list({})
    expect(await findSession(browserHeaders(cookie))).toMatchObject({ lacksFactor: false })
    await expect(api.security.removeApp()).rejects.toThrow('Operators need a second factor. Add another one first.')
    await prisma().owner.update({ where: { id: owner.id }, data: { isAdmin: false } })
    await api.security.removeApp()
  })

  test('does not exist among owners: they are not asked for one', async () => {
    const { api } = await signUpSomebody()
    goLive()
    await api.keys.list({})
    expect(await api.security.overview()).toMatchObject({ isRequired: false })
  })
})

test('a link that an operator made for an owner names that operator to the owner', async () => {
  const [{ owner: operator, api }, owner] = [await makeOperator(), await makeOwner()]
  const { url } = await api.operators.owners.resetLink({ ownerId: owner.id })
  const tokenOf = (link: string) => new URL(link).searchParams.get('token') ?? ''
  expect(await findResetLink(tokenOf(url))).toEqual({ madeBy: operator.email, madeAt: expect.any(String) })
  const byCommand = await createResetLink(owner.email, null)
  expect(await findResetLink(tokenOf(byCommand.url))).toMatchObject({ madeBy: 'An operator, by command,' })
  const { rows } = await mainPool().query(
    "SELECT actor FROM audit_event WHERE owner_id = $1 AND action = 'password_reset_requested'",
    [owner.id],
  )
  expect(rows).toEqual([{ actor: operator.email }])
})
