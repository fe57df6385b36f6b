import { Secret, TOTP } from 'otpauth'
import { beforeEach, describe, expect, test } from 'vitest'
import { readSignInProofs } from '../../server/accounts/complete-sign-in'
import { reencryptAppSecrets } from '../../server/accounts/factors/authenticator-app'
import { askForPasskey, giveFactorCode, givePasskey, signInWithPassword } from '../../server/api/auth'
import { makeContext } from '../../server/api/context'
import { appRouter } from '../../server/api/router'
import { createCallerFactory } from '../../server/api/trpc'
import { mainPool } from '../../server/db'
import { env } from '../../server/env'
import { withSandbox } from '../support/api'
import { makeAuthenticator } from '../support/authenticator'
import { browserHeaders, forgetAttempts, PASSWORD, signUpSomebody } from '../support/signed-in'

withSandbox()
beforeEach(forgetAttempts)

const createCaller = createCallerFactory(appRouter)
const HERE = 'http://localhost:3000'
const STEP_MS = 30_000

type Somebody = Awaited<ReturnType<typeof signUpSomebody>>
type Cookie = { name: string; value: string }

/** The code that an app shows, `steps` times 30 seconds from now. */
const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * STEP_MS })

/** Somebody with an authenticator app, whose code of now is not used up. */
async function withApp() {
  const somebody = await signUpSomebody()
  const { secret } = await somebody.api.security.beginApp()
  const { recoveryCodes } = await somebody.api.security.confirmApp({ code: codeOf(secret) })
  await mainPool().query('UPDATE authenticator_app SET last_step = last_step - 2 WHERE owner_id = $1', [somebody.id])
  return { ...somebody, secret, codes: recoveryCodes ?? [] }
}

/** Somebody with a passkey. */
async function withPasskey() {
  const somebody = await signUpSomebody()
  const authenticator = makeAuthenticator(HERE)
  const asked = await somebody.api.security.beginPasskey()
  const { recoveryCodes } = await somebody.api.security.addPasskey({
    name: 'Laptop',
    response: authenticator.create(asked),
  })
  return { ...somebody, authenticator, codes: recoveryCodes ?? [] }
}

/** The first factor, and the headers of the browser that gave it. */
async function givePassword({ email }: Pick<Somebody, 'email'>) {
  const cookie = await signInWithPassword({ email, password: PASSWORD }, browserHeaders())
  return { cookie, headers: browserHeaders(cookie) }
}

const meBy = (cookie: Cookie | undefined) =>
  createCaller(makeContext({ via: 'session', headers: browserHeaders(cookie) })).account.me()
const signedInAs = async (cookies: Cookie[]) =>
  (await meBy(cookies.find(({ name, value }) => name.includes('session') && value))).email
const actionsOf = async ({ api }: Somebody) => (await api.account.audit({})).rows.map(({ action }) => action)
const ageProofs = ({ id }: Somebody, minutes = 11) =>
  mainPool().query(`UPDATE session SET verified_at = now() - interval '${minutes} minutes' WHERE owner_id = $1`, [id])

describe('an authenticator app', () => {
  test('is asked for after the password, which alone is no session', async () => {
    const owner = await withApp()
    const { cookie, headers } = await givePassword(owner)
    expect(cookie).toMatchObject({ awaitsFactor: true, options: { httpOnly: true, sameSite: 'lax' } })
    await expect(meBy(cookie)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    expect(await readSignInProofs(headers)).toMatchObject({ email: owner.email, app: true, passkey: false })
    expect(await signedInAs(await giveFactorCode({ code: codeOf(owner.secret) }, headers))).toBe(owner.email)
    expect((await owner.api.account.audit({ limit: 1 })).rows).toMatchObject([
      { action: 'signed_in', actor: owner.email, address: '203.0.113.9', detail: { secondFactor: 'app' } },
    ])
  })

  test('has codes that work once, and none that is older than the last', async () => {
    const owner = await withApp()
    const code = codeOf(owner.secret)
    const { headers } = await givePassword(owner)
    const give = (given: string) => giveFactorCode({ code: given }, headers)
    await give(`${code.slice(0, 3)} ${code.slice(3)}`)
    await expect(give(code)).rejects.toThrow('wrong or was used')
    await expect(give(codeOf(owner.secret, -1))).rejects.toThrow('wrong or was used')
    await expect(give(codeOf(owner.secret, 20))).rejects.toThrow('wrong or was used')
    expect(await actionsOf(owner)).toContain('second_factor_failed')
  })

  test('takes a code once of many that send it at the same time', async () => {
    const owner = await withApp()
    const { headers } = await givePassword(owner)
    const code = codeOf(owner.secret)
    const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => giveFactorCode({ code }, headers)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('may be guessed ten times a minute and thirty times an hour, from wherever', async () => {
    const owner = await withApp()
    const { headers } = await givePassword(owner)
    const wrong = () => giveFactorCode({ code: '000000' }, headers)
    for (let i = 0; i < 10; i++) await expect(wrong()).rejects.toMatchObject({ code: 'invalid_request' })
    headers.set('x-tollgate-peer', '198.51.100.7')
    await expect(giveFactorCode({ code: codeOf(owner.secret) }, headers)).rejects.toMatchObject({
      code: 'rate_limited',
    })
    await mainPool().query("DELETE FROM rate_window WHERE id LIKE 'factor:%' OR id LIKE 'enter:%'")
    await mainPool().query("UPDATE rate_window SET count = 30 WHERE id LIKE 'factor-hour:%'")
    await expect(giveFactorCode({ code: codeOf(owner.secret) }, headers)).rejects.toMatchObject({
      code: 'rate_limited',
    })
  })

  test('counts once its first code was right, and is stored encrypted', async () => {
    const somebody = await signUpSomebody()
    const { secret, uri, qr } = await somebody.api.security.beginApp()
    expect(uri).toMatch(/^otpauth:\/\/totp\/Tollgate:somebody/)
    expect(qr).toMatch(/^<svg /)
    await expect(somebody.api.security.confirmApp({ code: '123456' })).rejects.toThrow('wrong')
    expect((await givePassword(somebody)).cookie.awaitsFactor).toBeUndefined()
    const { rows } = await mainPool().query('SELECT secret FROM authenticator_app WHERE owner_id = $1', [somebody.id])
    expect(rows[0].secret.toString('latin1')).not.toContain(secret)
    await somebody.api.security.confirmApp({ code: codeOf(secret) })
    await expect(somebody.api.security.beginApp()).rejects.toThrow('There is an authenticator app already')
  })

  test('follows ENCRYPTION_KEY when that is rotated; without one there are no apps', async () => {
    const owner = await withApp()
    const { ENCRYPTION_KEY } = env()
    Object.assign(env(), { ENCRYPTION_KEY: 'ef'.repeat(32), PREVIOUS_ENCRYPTION_KEY: ENCRYPTION_KEY })
    expect((await reencryptAppSecrets()).encrypted).toBeGreaterThan(0)
    Object.assign(env(), { PREVIOUS_ENCRYPTION_KEY: undefined })
    const { headers } = await givePassword(owner)
    await giveFactorCode({ code: codeOf(owner.secret) }, headers)
    Object.assign(env(), { PREVIOUS_ENCRYPTION_KEY: 'ef'.repeat(32), ENCRYPTION_KEY })
    await reencryptAppSecrets()
    Object.assign(env(), { ENCRYPTION_KEY: undefined, PREVIOUS_ENCRYPTION_KEY: undefined })
    const { api } = await signUpSomebody()
    expect(await api.security.overview()).toMatchObject({ canUseApp: false })
    await expect(api.security.beginApp()).rejects.toThrow('ENCRYPTION_KEY')
    Object.assign(env(), { ENCRYPTION_KEY })
  })
})

describe('recovery codes', () => {
  test('come with the first factor, replace one once each, and are stored as hashes', async () => {
    const owner = await withApp()
    expect(owner.codes).toHaveLength(10)
    expect(new Set(owner.codes).size).toBe(10)
    const [code = ''] = owner.codes
    expect(code).toMatch(/^\w{4}-\w{4}-\w{4}-\w{4}$/)
    const { rows } = await mainPool().query('SELECT c::text AS row FROM recovery_code c WHERE owner_id = $1', [
      owner.id,
    ])
    for (const { row } of rows) expect(row).not.toContain(code)
    const { headers } = await givePassword(owner)
    const cookies = await giveFactorCode({ code: code.toUpperCase().replaceAll('-', ' ') }, headers)
    expect(await signedInAs(cookies)).toBe(owner.email)
    await expect(giveFactorCode({ code }, headers)).rejects.toThrow('wrong or was used')
    expect(await owner.api.security.overview()).toMatchObject({ recoveryCodes: 9 })
  })

  test('are replaced by new ones, and are nobody else’s', async () => {
    const [owner, other] = [await withApp(), await withApp()]
    const [code = ''] = owner.codes
    const theirs = await givePassword(other)
    await expect(giveFactorCode({ code }, theirs.headers)).rejects.toThrow('wrong or was used')
    const { recoveryCodes } = await owner.api.security.makeRecoveryCodes()
    const { headers } = await givePassword(owner)
    await expect(giveFactorCode({ code }, headers)).rejects.toThrow('wrong or was used')
    await giveFactorCode({ code: recoveryCodes[9] ?? '' }, headers)
  })

  test('go with the last second factor, and are not made without one', async () => {
    const owner = await withApp()
    await owner.api.security.removeApp()
    expect(await owner.api.security.overview()).toMatchObject({ appSince: null, recoveryCodes: 0 })
    await expect(owner.api.security.makeRecoveryCodes()).rejects.toMatchObject({ code: 'CONFLICT' })
    expect((await givePassword(owner)).cookie.awaitsFactor).toBeUndefined()
    expect((await actionsOf(owner)).slice(0, 4)).toEqual([
      'signed_in',
      'second_factor_removed',
      'second_factor_added',
      'account_created',
    ])
  })
})

describe('a passkey', () => {
  test('signs in after the password', async () => {
    const owner = await withPasskey()
    const { headers } = await givePassword(owner)
    const response = owner.authenticator.sign(await askForPasskey(true, headers), { isVerified: false })
    expect(await signedInAs(await givePasskey({ response, isSecond: true }, headers))).toBe(owner.email)
    expect((await owner.api.security.overview()).passkeys).toMatchObject([
      { name: 'Laptop', usedAt: expect.any(String) },
    ])
  })

  test('signs in alone where the authenticator checked its user, and not where it did not', async () => {
    const owner = await withPasskey()
    const headers = browserHeaders()
    const alone = async (isVerified: boolean) => {
      const response = owner.authenticator.sign(await askForPasskey(false, headers), { isVerified })
      return givePasskey({ response, isSecond: false }, headers)
    }
    await expect(alone(false)).rejects.toMatchObject({ code: 'unauthorized' })
    expect(await signedInAs(await alone(true))).toBe(owner.email)
  })

  test('signs each challenge once', async () => {
    const owner = await withPasskey()
    const headers = browserHeaders()
    const response = owner.authenticator.sign(await askForPasskey(false, headers))
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => givePasskey({ response, isSecond: false }, headers)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await expect(givePasskey({ response, isSecond: false }, headers)).rejects.toMatchObject({ code: 'unauthorized' })
  })

  test('signs nothing that is too old, of another purpose, of another site, or of another owner', async () => {
    const [owner, other] = [await withPasskey(), await withPasskey()]
    const { headers } = await givePassword(owner)
    const give = (response: unknown, isSecond = true) => givePasskey({ response, isSecond }, headers)
    const refused = { code: 'unauthorized' }
    const old = owner.authenticator.sign(await askForPasskey(true, headers))
    await mainPool().query("UPDATE passkey_challenge SET expires_at = now() - interval '1 s'")
    await expect(give(old)).rejects.toMatchObject(refused)
    await expect(give(owner.authenticator.sign(await askForPasskey(false, headers)))).rejects.toMatchObject(refused)
    const elsewhere = { origin: 'https://evil.example' }
    await expect(give(owner.authenticator.sign(await askForPasskey(true, headers), elsewhere))).rejects.toMatchObject(
      refused,
    )
    await expect(give(other.authenticator.sign(await askForPasskey(true, headers)))).rejects.toMatchObject(refused)
    const unsigned = owner.authenticator.sign(await askForPasskey(true, headers))
    const forged = { ...unsigned, response: { ...unsigned.response, signature: 'MEUCIQ' } }
    await expect(give(forged)).rejects.toMatchObject(refused)
    await expect(give({ id: 'x' })).rejects.toMatchObject({ code: 'invalid_request' })
  })

  test('with a counter that went back, as that of a copy does, is refused', async () => {
    const owner = await withPasskey()
    const headers = browserHeaders()
    const at = async (counter: number) => {
      const response = owner.authenticator.sign(await askForPasskey(false, headers), { counter })
      return givePasskey({ response, isSecond: false }, headers)
    }
    await at(7)
    await expect(at(6)).rejects.toMatchObject({ code: 'unauthorized' })
    await expect(at(7)).rejects.toMatchObject({ code: 'unauthorized' })
    await at(8)
  })

  test('is added to one account once, and only as the answer to its challenge', async () => {
    const [owner, other] = [await withPasskey(), await signUpSomebody()]
    const again = owner.authenticator.create(await other.api.security.beginPasskey())
    await expect(other.api.security.addPasskey({ name: 'x', response: again })).rejects.toThrow('added already')
    const fresh = makeAuthenticator(HERE)
    const ofOwner = fresh.create(await owner.api.security.beginPasskey())
    await expect(other.api.security.addPasskey({ name: 'x', response: ofOwner })).rejects.toThrow('not accepted')
    await expect(other.api.security.removePasskey({ id: owner.authenticator.id })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    expect((await owner.api.security.overview()).passkeys).toHaveLength(1)
  })
})

describe('a proof of who is signed in', () => {
  const keyRequest = { name: 'large', budget: null }

  test('is asked for after ten minutes, and a password, a code or a passkey is one', async () => {
    const owner = await withApp()
    const authenticator = makeAuthenticator(HERE)
    const response = authenticator.create(await owner.api.security.beginPasskey())
    await owner.api.security.addPasskey({ name: 'Key', response })
    await owner.api.keys.create(keyRequest)
    const proofs = [
      () => owner.api.security.proveByPassword({ password: PASSWORD }),
      () => owner.api.security.proveByCode({ code: codeOf(owner.secret) }),
      () => owner.api.security.proveByCode({ code: owner.codes[0] ?? '' }),
      async () =>
        owner.api.security.proveByPasskey({ response: authenticator.sign(await owner.api.security.beginProof()) }),
    ]
    for (const prove of proofs) {
      await ageProofs(owner)
      await expect(owner.api.keys.create(keyRequest)).rejects.toMatchObject({
        code: 'FORBIDDEN',
        cause: { detail: { stepUp: true } },
      })
      await prove()
      await owner.api.keys.create(keyRequest)
    }
    const ways = { password: true, app: true, passkey: true, recoveryCode: true, providers: [] }
    expect(await owner.api.security.proofs()).toEqual(ways)
  })

  test('that is wrong proves nothing, and may be tried ten times a minute', async () => {
    const owner = await withApp()
    await ageProofs(owner)
    for (let i = 0; i < 5; i++) {
      await expect(owner.api.security.proveByPassword({ password: 'wrong' })).rejects.toMatchObject({
        code: 'BAD_REQUEST',
      })
      await expect(owner.api.security.proveByCode({ code: '000000' })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    }
    await expect(owner.api.security.proveByPassword({ password: PASSWORD })).rejects.toMatchObject({
      code: 'TOO_MANY_REQUESTS',
    })
    await expect(owner.api.keys.create(keyRequest)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })

  test('counts in its session only', async () => {
    const owner = await signUpSomebody()
    const second = await signInWithPassword({ email: owner.email, password: PASSWORD }, browserHeaders())
    await ageProofs(owner)
    await owner.api.security.proveByPassword({ password: PASSWORD })
    const elsewhere = createCaller(makeContext({ via: 'session', headers: browserHeaders(second) }))
    await expect(elsewhere.keys.create(keyRequest)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })

  test('is not asked for a key of a small budget, and is for one that becomes large', async () => {
    const owner = await signUpSomebody()
    const { STEP_UP_ABOVE_CREDITS: most } = env()
    const large = await owner.api.keys.create({ name: 'large', budget: most + 1 })
    await ageProofs(owner)
    const small = await owner.api.keys.create({ name: 'small', budget: most })
    await owner.api.keys.create({ name: 'small', recurringBudget: { every: 'day', credits: 5 } })
    await owner.api.keys.rotate({ id: small.id })
    await owner.api.keys.change({ id: large.id, changes: { budget: most, name: 'smaller' } })
    const refused = { code: 'FORBIDDEN' }
    for (const budget of [most + 1, null])
      await expect(owner.api.keys.change({ id: small.id, changes: { budget } })).rejects.toMatchObject(refused)
    await expect(owner.api.keys.create({ name: 'x', budget: most + 1 })).rejects.toMatchObject(refused)
    await expect(
      owner.api.keys.create({ name: 'x', recurringBudget: { every: 'day', credits: most + 1 } }),
    ).rejects.toMatchObject(refused)
    await owner.api.security.proveByPassword({ password: PASSWORD })
    await owner.api.keys.change({ id: small.id, changes: { budget: null } })
    await ageProofs(owner)
    await expect(owner.api.keys.rotate({ id: small.id })).rejects.toMatchObject(refused)
  })
})
