import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { getSession } from '../../server/accounts/session'
import { expiredSignUpLinks } from '../../server/accounts/sign-up-link'
import { addressOfSignUpLink, askToSignUp, openAccountByLink, signUpWithPassword } from '../../server/api/auth'
import { mainPool } from '../../server/db'
import { env } from '../../server/env'
import { backgroundWork } from '../../server/kit/background'
import { pollUntil } from '../support/poll-until'
import { browserHeaders, forgetAttempts, PASSWORD, signInAgain, signUpSomebody } from '../support/signed-in'
import { startMailServer } from '../support/smtp'

let mail: Awaited<ReturnType<typeof startMailServer>>
const original = { ...env() }
beforeAll(async () => {
  mail = await startMailServer()
})
afterAll(async () => {
  Object.assign(env(), original)
  await mail.stop()
})
beforeEach(async () => {
  await forgetAttempts()
  mail.mails.length = 0
  Object.assign(env(), { SMTP_URL: mail.url, SMTP_FROM: 'tollgate@example.com', SIGNUP: 'open' })
})

let addresses = 0
const newAddress = () => `new-${++addresses}@example.net`

/** Asks to sign up; returns what was e-mailed, and the token in it. */
async function ask(email: string) {
  const answer = await askToSignUp({ email }, browserHeaders())
  await pollUntil('the end of background work', () => backgroundWork.count === 0)
  const sent = mail.mails.findLast(({ to }) => to[0] === email.toLowerCase())
  return { answer, sent, token: /signup\/password\?token=([\w-]+)/.exec(sent?.text ?? '')?.[1] ?? '' }
}

const open = (token: string, password = PASSWORD) => openAccountByLink({ token, password }, browserHeaders())

test('a link by e-mail opens the account, with a password chosen then, once', async () => {
  const email = newAddress()
  const { token } = await ask(email.toUpperCase())
  expect([await addressOfSignUpLink(token), await addressOfSignUpLink(token)]).toEqual([email, email])
  await expect(open(token, 'short')).rejects.toMatchObject({ code: 'invalid_request' })
  const [session] = await open(token)
  expect(await getSession(browserHeaders(session))).toMatchObject({ email })
  await signInAgain(email)
  await expect(open(token)).rejects.toMatchObject({ code: 'conflict' })
})

test('an address with an account is answered alike, and reads that it has one', async () => {
  const known = await signUpSomebody()
  const [taken, free] = [await ask(known.email), await ask(newAddress())]
  expect(taken.answer).toEqual(free.answer)
  expect(taken.sent?.subject).toBe('You have a Tollgate account already')
  expect(taken.token).toBe('')
  expect(free.sent?.subject).toBe('Create your Tollgate account')
})

test('the form with a password, which would say who has an account, is closed', async () => {
  const known = await signUpSomebody()
  for (const email of [known.email, newAddress()])
    await expect(signUpWithPassword({ email, password: PASSWORD }, browserHeaders())).rejects.toThrow(
      'opened by a link that is e-mailed',
    )
})

test('an address may be sent three an hour from one network, whether or not it has an account', async () => {
  const known = await signUpSomebody()
  for (const email of [known.email, newAddress()]) {
    await forgetAttempts()
    for (let i = 0; i < 3; i++) await ask(email)
    await expect(ask(email)).rejects.toMatchObject({ code: 'rate_limited' })
  }
})

test('two who open one account at the same time open it once; a closed sign-up opens none', async () => {
  const { token } = await ask(newAddress())
  const outcomes = await Promise.allSettled([open(token), open(token)])
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const late = await ask(newAddress())
  Object.assign(env(), { SIGNUP: 'closed' })
  await expect(open(late.token)).rejects.toMatchObject({ code: 'forbidden' })
  await expect(ask(newAddress())).rejects.toMatchObject({ code: 'forbidden' })
})

test('retention deletes links that were not used in their hour', async () => {
  const { token } = await ask(newAddress())
  await mainPool().query("UPDATE sign_up_link SET expires_at = now() - interval '1 s'")
  expect(await addressOfSignUpLink(token)).toBeNull()
  await expect(open(token)).rejects.toMatchObject({ code: 'conflict' })
  expect(await expiredSignUpLinks().count()).toBeGreaterThan(0)
  expect((await expiredSignUpLinks().step()).deleted).toBeGreaterThan(0)
})
