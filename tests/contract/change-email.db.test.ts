import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createResetLink } from '../../server/accounts/password-reset'
import { signUpOwner } from '../../server/accounts/sign-up'
import { addressOfLink, confirmAddress, findResetLink } from '../../server/api/account-links'
import { mainPool } from '../../server/db'
import { env } from '../../server/env'
import { backgroundWork } from '../../server/kit/background'
import { pollUntil } from '../support/poll-until'
import { browserHeaders, forgetAttempts, PASSWORD, signInAgain, signUpSomebody } from '../support/signed-in'
import { startMailServer } from '../support/smtp'

const isResetLinkUsable = async (token: string) => (await findResetLink(token)) !== null
let mail: Awaited<ReturnType<typeof startMailServer>>
beforeAll(async () => {
  mail = await startMailServer()
})
afterAll(() => mail.stop())
beforeEach(async () => {
  await forgetAttempts()
  mail.mails.length = 0
  Object.assign(env(), { SMTP_URL: mail.url, SMTP_FROM: 'tollgate@example.com', SIGNUP_CREDITS: 100 })
})

const untilIdle = () => pollUntil('the end of background work', () => backgroundWork.count === 0)
let addresses = 0
const newAddress = () => `new-${++addresses}@example.org`
const tokenIn = (text: string): string => /\/confirm-email\?token=([\w-]+)/.exec(text)?.[1] ?? ''

type Somebody = Awaited<ReturnType<typeof signUpSomebody>>

/** Asks for another address, and returns the token of the link that was e-mailed there. */
async function ask({ api }: Somebody, email: string): Promise<string> {
  expect(await api.account.changeEmail({ email })).toEqual({ isChanged: false })
  await untilIdle()
  return tokenIn(mail.mails.findLast(({ to }) => to[0] === email)?.text ?? '')
}

describe('a new e-mail address', () => {
  test('is confirmed by a link to it, the old one gets a notice, and sessions stay', async () => {
    const owner = await signUpSomebody()
    const email = newAddress()
    const token = await ask(owner, ` ${email.toUpperCase()} `.trim().toLowerCase())
    expect(mail.mails.map(({ to, subject }) => [to[0], subject])).toEqual([
      [owner.email, 'Your Tollgate account gets another e-mail address'],
      [email, 'Confirm your e-mail address for Tollgate'],
    ])
    expect(mail.mails[0]?.text).not.toContain('token=')
    expect((await owner.api.account.me()).email).toBe(owner.email)
    // Opening the link changes nothing, however often.
    expect([await addressOfLink(token), await addressOfLink(token)]).toEqual([email, email])
    expect(await confirmAddress(token, browserHeaders())).toEqual({ email })
    expect((await owner.api.account.me()).email).toBe(email)
    await expect(signInAgain(owner.email)).rejects.toThrow('wrong')
    await signInAgain(email)
    expect((await owner.api.account.audit({ limit: 3 })).rows).toMatchObject([
      { action: 'signed_in' },
      { action: 'email_changed', detail: { from: owner.email, to: email } },
      { action: 'email_change_requested', detail: { to: email } },
    ])
    await expect(confirmAddress(token, browserHeaders())).rejects.toMatchObject({ code: 'conflict' })
  })

  test('needs a proof of the last ten minutes, whether or not there is a password', async () => {
    const { id, api } = await signUpSomebody()
    await mainPool().query("UPDATE session SET verified_at = now() - interval '11 minutes' WHERE owner_id = $1", [id])
    await expect(api.account.changeEmail({ email: newAddress() })).rejects.toThrow('Confirm that it is you')
    await untilIdle()
    expect(mail.mails).toEqual([])
    await api.security.proveByPassword({ password: PASSWORD })
    await mainPool().query('UPDATE owner SET password_hash = NULL WHERE id = $1', [id])
    await api.account.changeEmail({ email: newAddress() })
    await untilIdle()
    expect(mail.mails).toHaveLength(2)
  })

  test('that another account has is answered alike, and gets no link', async () => {
    const [owner, other] = [await signUpSomebody(), await signUpSomebody()]
    expect(await ask(owner, other.email)).toBe('')
    expect(mail.mails.map(({ to }) => to[0])).toEqual([owner.email])
  })

  test('that another account takes before it is confirmed is refused', async () => {
    const [owner, other] = [await signUpSomebody(), await signUpSomebody()]
    const email = newAddress()
    const [one, two] = [await ask(owner, email), await ask(other, email)]
    await confirmAddress(one, browserHeaders())
    await expect(confirmAddress(two, browserHeaders())).rejects.toThrow('An account with this e-mail address exists')
    expect((await other.api.account.me()).email).toBe(other.email)
  })

  test('is confirmed once by two at the same time', async () => {
    const owner = await signUpSomebody()
    const token = await ask(owner, newAddress())
    const outcomes = await Promise.allSettled([1, 2].map(() => confirmAddress(token, browserHeaders())))
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  test('replaces the one asked for before, and ends links to the old address', async () => {
    const owner = await signUpSomebody()
    const before = await ask(owner, newAddress())
    const token = await ask(owner, newAddress())
    await expect(confirmAddress(before, browserHeaders())).rejects.toMatchObject({ code: 'conflict' })
    const reset = /token=([\w-]+)/.exec((await createResetLink(owner.email, null)).url)?.[1] ?? ''
    await confirmAddress(token, browserHeaders())
    expect(await isResetLinkUsable(reset)).toBe(false)
  })

  test('is no password link, and the other way round', async () => {
    const owner = await signUpSomebody()
    const token = await ask(owner, newAddress())
    expect(await isResetLinkUsable(token)).toBe(false)
    const reset = /token=([\w-]+)/.exec((await createResetLink(owner.email, null)).url)?.[1] ?? ''
    expect(await addressOfLink(reset)).toBeNull()
    await expect(confirmAddress(reset, browserHeaders())).rejects.toMatchObject({ code: 'conflict' })
  })

  test('changes at once where no e-mail can be sent; what is taken is said as at sign-up', async () => {
    Object.assign(env(), { SMTP_URL: undefined })
    const [owner, other] = [await signUpSomebody(), await signUpSomebody()]
    const email = newAddress()
    expect(await owner.api.account.changeEmail({ email })).toEqual({ isChanged: true })
    expect((await owner.api.account.me()).email).toBe(email)
    await signInAgain(email)
    await expect(owner.api.account.changeEmail({ email: other.email })).rejects.toThrow(
      'An account with this e-mail address exists already.',
    )
    await expect(owner.api.account.changeEmail({ email })).rejects.toThrow('already')
  })

  test('leaves an address with which signing up brings no credits again', async () => {
    Object.assign(env(), { SMTP_URL: undefined })
    const owner = await signUpSomebody()
    await owner.api.account.changeEmail({ email: newAddress() })
    const again = await signUpOwner({ email: owner.email, password: PASSWORD })
    const { rows } = await mainPool().query('SELECT owner_id, available::int FROM account WHERE owner_id = ANY ($1)', [
      [owner.id, again.id],
    ])
    expect(rows).toEqual(
      expect.arrayContaining([
        { owner_id: owner.id, available: 100 },
        { owner_id: again.id, available: 0 },
      ]),
    )
  })

  test('may be tried ten times an hour', async () => {
    Object.assign(env(), { SMTP_URL: undefined })
    const { api } = await signUpSomebody()
    for (let i = 0; i < 10; i++) await api.account.changeEmail({ email: newAddress() })
    await expect(api.account.changeEmail({ email: newAddress() })).rejects.toMatchObject({
      code: 'TOO_MANY_REQUESTS',
    })
  })
})

test('an account has a name of its owner’s choice, or none', async () => {
  const { api } = await signUpSomebody()
  await api.account.rename({ name: '  Harbour team ' })
  expect((await api.account.profile()).name).toBe('Harbour team')
  await api.account.rename({ name: '' })
  expect((await api.account.profile()).name).toBeNull()
})
