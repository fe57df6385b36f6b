import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { expiredAccountLinks } from '../../server/accounts/link'
import { createResetLink } from '../../server/accounts/password-reset'
import { findResetLink, forgotPassword, setPasswordByLink } from '../../server/api/account-links'
import { suspendAccount } from '../../server/credits/suspension'
import { mainPool, prisma } from '../../server/db'
import { env } from '../../server/env'
import { backgroundWork } from '../../server/kit/background'
import { pollUntil } from '../support/poll-until'
import { browserHeaders, forgetAttempts, PASSWORD, signInAgain, signUpSomebody } from '../support/signed-in'
import { startMailServer } from '../support/smtp'

const NEW = 'another horse battery'
const isResetLinkUsable = async (token: string) => (await findResetLink(token)) !== null
let mail: Awaited<ReturnType<typeof startMailServer>>
beforeAll(async () => {
  mail = await startMailServer()
  Object.assign(env(), { SMTP_URL: mail.url, SMTP_FROM: 'Tollgate <tollgate@example.com>' })
})
afterAll(() => mail.stop())
beforeEach(async () => {
  await forgetAttempts()
  mail.mails.length = 0
})

const untilIdle = () => pollUntil('the end of background work', () => backgroundWork.count === 0)

/** Asks for a link and waits until what follows from that was done. */
async function ask(email: string): Promise<void> {
  await forgotPassword({ email }, browserHeaders())
  await untilIdle()
}
const tokenIn = (text: string): string => /\/reset\?token=([\w-]+)/.exec(text)?.[1] ?? ''
const links = async () => (await mainPool().query('SELECT hash FROM account_link')).rows
const actions = async (api: Awaited<ReturnType<typeof signUpSomebody>>['api']) =>
  (await api.account.audit({})).rows.map(({ action }) => action)

describe('a link to set a new password', () => {
  test('is e-mailed, sets the password once, and ends every session', async () => {
    const { email, api } = await signUpSomebody()
    await ask(` ${email.toUpperCase()} `)
    expect(mail.mails).toMatchObject([{ to: [email], subject: 'Set a new password for Tollgate' }])
    const token = tokenIn(mail.mails[0]?.text ?? '')
    expect(mail.mails[0]?.text).toContain(`${env().PUBLIC_URL}/reset?token=${token}`)
    expect(await isResetLinkUsable(token)).toBe(true)
    expect(await setPasswordByLink({ token, password: NEW }, browserHeaders())).toEqual({ email })
    await expect(api.account.me()).rejects.toThrow('Your session has ended')
    await expect(signInAgain(email, PASSWORD)).rejects.toThrow('wrong')
    const again = await signInAgain(email, NEW)
    expect(await actions(again.api)).toEqual([
      'signed_in',
      'sign_in_failed',
      'password_reset',
      'password_reset_requested',
      'account_created',
    ])
    expect(await isResetLinkUsable(token)).toBe(false)
    await expect(setPasswordByLink({ token, password: PASSWORD }, browserHeaders())).rejects.toMatchObject({
      code: 'conflict',
    })
    await signInAgain(email, NEW)
  })

  test('is not in the database, where only its hash is', async () => {
    const { email } = await signUpSomebody()
    const { url } = await createResetLink(email, null)
    const { rows } = await mainPool().query('SELECT l::text AS row FROM account_link l')
    expect(JSON.stringify(rows)).not.toContain(tokenIn(url))
  })

  test.each(['one link', 'two links'])('is used once by two at the same time, with %s', async (which) => {
    const { email } = await signUpSomebody()
    const first = tokenIn((await createResetLink(email, null)).url)
    const second = which === 'one link' ? first : tokenIn((await createResetLink(email, null)).url)
    const outcomes = await Promise.allSettled(
      [first, second].map((token, i) => setPasswordByLink({ token, password: `${NEW} ${i}` }, browserHeaders())),
    )
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    await signInAgain(email, `${NEW} ${outcomes.findIndex(({ status }) => status === 'fulfilled')}`)
    expect([await isResetLinkUsable(first), await isResetLinkUsable(second)]).toEqual([false, false])
  })

  test('works for an hour', async () => {
    const { email } = await signUpSomebody()
    const token = tokenIn((await createResetLink(email, null)).url)
    await mainPool().query(`UPDATE account_link SET expires_at = expires_at - interval '1 hour'`)
    expect(await isResetLinkUsable(token)).toBe(false)
    await expect(setPasswordByLink({ token, password: NEW }, browserHeaders())).rejects.toMatchObject({
      code: 'conflict',
    })
    await signInAgain(email)
    const { rows } = await mainPool().query('SELECT count(*)::int AS n FROM account_link WHERE expires_at < now()')
    expect(await expiredAccountLinks().count()).toBe(rows[0].n)
    await expiredAccountLinks().step()
    expect(await expiredAccountLinks().count()).toBe(0)
  })

  test('ends with a change of the password', async () => {
    const { email, api } = await signUpSomebody()
    const token = tokenIn((await createResetLink(email, null)).url)
    await api.account.changePassword({ current: PASSWORD, password: NEW })
    expect(await isResetLinkUsable(token)).toBe(false)
  })

  test('stays usable after a password that is too short, and anything else is no link', async () => {
    const { email } = await signUpSomebody()
    const token = tokenIn((await createResetLink(email, null)).url)
    await expect(setPasswordByLink({ token, password: 'short' }, browserHeaders())).rejects.toMatchObject({
      code: 'invalid_request',
    })
    for (const wrong of ['', 'x', `${token}x`, token.toLowerCase(), '\0'])
      await expect(setPasswordByLink({ token: wrong, password: NEW }, browserHeaders())).rejects.toMatchObject({
        code: 'conflict',
      })
    expect(await isResetLinkUsable(token)).toBe(true)
  })

  test('is not taken from another site’s page', async () => {
    const headers = browserHeaders()
    headers.set('origin', 'https://evil.example')
    await expect(forgotPassword({ email: 'a@example.org' }, headers)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(setPasswordByLink({ token: 'x', password: NEW }, headers)).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('is for a suspended owner, too, who may sign in and read but not spend', async () => {
    Object.assign(env(), { SIGNUP: 'closed' })
    const { id, email } = await signUpSomebody()
    Object.assign(env(), { SIGNUP: 'closed' })
    await suspendAccount(prisma(), id, 'unpaid')
    await ask(email)
    await setPasswordByLink({ token: tokenIn(mail.mails[0]?.text ?? ''), password: NEW }, browserHeaders())
    const { api } = await signInAgain(email, NEW)
    expect((await api.account.me()).email).toBe(email)
  })

  test('gives an owner from a provider a first password', async () => {
    const { id, email } = await signUpSomebody()
    await mainPool().query('UPDATE owner SET password_hash = NULL WHERE id = $1', [id])
    await ask(email)
    await setPasswordByLink({ token: tokenIn(mail.mails[0]?.text ?? ''), password: NEW }, browserHeaders())
    await signInAgain(email, NEW)
  })
})

describe('asking for a link', () => {
  test('is answered alike for an address without an account, which gets nothing', async () => {
    const before = await links()
    const [known, unknown] = [(await signUpSomebody()).email, 'nobody@example.org']
    const answers = []
    for (const email of [known, unknown]) answers.push(await forgotPassword({ email }, browserHeaders()))
    expect(answers).toEqual([undefined, undefined])
    await untilIdle()
    expect(mail.mails.map(({ to }) => to)).toEqual([[known]])
    expect(await links()).toHaveLength(before.length + 1)
  })

  test('does the same work before the answer, whether or not there is an account', async () => {
    const { email } = await signUpSomebody()
    const queriesOf = async (asked: string) => {
      const { rows } = await mainPool().query(
        `SELECT count(*)::int AS n FROM rate_window WHERE id LIKE 'reset:%' AND id LIKE $1`,
        [`%${asked}`],
      )
      return rows[0].n
    }
    for (const asked of [email, 'nobody@example.org']) {
      // What depends on the account has not begun when the answer is there.
      const answer = forgotPassword({ email: asked }, browserHeaders())
      await answer
      expect(backgroundWork.count).toBe(1)
      expect(await queriesOf(asked)).toBe(2)
      await untilIdle()
    }
  })

  test.each(['somebody', 'nobody'])('is counted by address and e-mail, also for %s', async (who) => {
    const email = who === 'nobody' ? 'nobody@example.org' : (await signUpSomebody()).email
    for (let i = 0; i < 3; i++) await ask(email)
    await expect(forgotPassword({ email }, browserHeaders())).rejects.toMatchObject({ code: 'rate_limited' })
    // Another network may ask for the same account.
    const elsewhere = browserHeaders()
    elsewhere.set('x-tollgate-peer', '198.51.100.7')
    await forgotPassword({ email }, elsewhere)
    await untilIdle()
    expect(mail.mails).toHaveLength(who === 'nobody' ? 0 : 4)
  })

  test('is refused at a field for what is not an address', async () => {
    await expect(forgotPassword({ email: 'nobody' }, browserHeaders())).rejects.toMatchObject({
      code: 'invalid_request',
      detail: { issues: [{ path: 'email', message: 'Enter an e-mail address' }] },
    })
  })

  test('is answered alike where the mail server refuses', async () => {
    const { email } = await signUpSomebody()
    mail.state.refuse = true
    await ask(email)
    mail.state.refuse = false
    expect(mail.mails).toEqual([])
  })

  test('is refused where no mail server is set, and the operator makes the link', async () => {
    const { email } = await signUpSomebody()
    Object.assign(env(), { SMTP_URL: undefined })
    await expect(forgotPassword({ email }, browserHeaders())).rejects.toThrow('Ask the operator')
    const { url } = await createResetLink(email, null)
    Object.assign(env(), { SMTP_URL: mail.url })
    await setPasswordByLink({ token: tokenIn(url), password: NEW }, browserHeaders())
    await signInAgain(email, NEW)
    await expect(createResetLink('nobody@example.org', null)).rejects.toMatchObject({ code: 'not_found' })
  })
})
