import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { signUpByInvitation } from '../../server/accounts/members/invitations'
import { AuditAction } from '../../server/accounts/shape'
import { acceptInvitation, confirmAddress, forgotPassword, setPasswordByLink } from '../../server/api/account-links'
import { askForPasskey, givePasskey, signInWithPassword, signOut, signUpWithPassword } from '../../server/api/auth'
import { appRouter } from '../../server/api/router'
import { keyCommands } from '../../server/cli/admin/keys'
import { ownerCommands } from '../../server/cli/admin/owners'
import { mainPool } from '../../server/db'
import { env } from '../../server/env'
import { backgroundWork } from '../../server/kit/background'
import { log } from '../../server/kit/log'
import { withSandbox } from '../support/api'
import { AUDITED_ACTS } from '../support/audited-acts'
import { makeAuthenticator } from '../support/authenticator'
import { makeCode, sendForm } from '../support/oauth'
import { makeOperator } from '../support/operators'
import { makeOwner } from '../support/owners'
import { pollUntil } from '../support/poll-until'
import { browserHeaders, callNamed, forgetAttempts, PASSWORD, signUpSomebody } from '../support/signed-in'
import { startMailServer } from '../support/smtp'
import { digestTables } from '../support/stored-rows'

withSandbox()

let mail: Awaited<ReturnType<typeof startMailServer>>
beforeAll(async () => {
  mail = await startMailServer()
  await mainPool().query(`
    CREATE FUNCTION refuse_line() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no line today'; END $$;
    CREATE TRIGGER refuse_line BEFORE INSERT ON audit_event FOR EACH ROW EXECUTE FUNCTION refuse_line();
    ALTER TABLE audit_event DISABLE TRIGGER refuse_line`)
})
afterAll(async () => {
  // Of the act that was refused.
  await mainPool().query('DELETE FROM settlement_dead')
  await mail.stop()
})
beforeEach(async () => {
  await forgetAttempts()
  Object.assign(env(), { SIGNUP: 'open', SMTP_URL: undefined, REQUEST_LOG: 'on' })
})

type Procedure = { _def: { meta?: { audit?: object | string | false } } }
const audited = Object.entries(appRouter._def.procedures as unknown as Record<string, Procedure>).flatMap(
  ([name, { _def }]) => (_def.meta?.audit ? [name] : []),
)

async function withoutLines<T>(run: () => Promise<T>): Promise<T> {
  const { level } = log
  log.level = 'silent'
  await mainPool().query('ALTER TABLE audit_event ENABLE TRIGGER refuse_line')
  return run().finally(async () => {
    log.level = level
    await mainPool().query('ALTER TABLE audit_event DISABLE TRIGGER refuse_line')
  })
}

type Line = { ownerId: number; action: string }
const seen = new Set<string>()
async function linesAfter(id: string): Promise<Line[]> {
  const { rows } = await mainPool().query<Line>(
    'SELECT owner_id AS "ownerId", action FROM audit_event WHERE id > $1 ORDER BY id',
    [id],
  )
  for (const { action } of rows) seen.add(action)
  return rows
}
const lastLine = async () =>
  (await mainPool().query<{ id: string }>('SELECT coalesce(max(id), 0)::text AS id FROM audit_event')).rows[0]?.id ?? ''

type Run = () => Promise<unknown>

/** Does an act that is made ready twice: without its line it fails and stores nothing. */
async function checkAct(prepare: () => Promise<Run>, usesUp: string[] = []): Promise<Line[]> {
  const refused = await prepare()
  const before = await digestTables(usesUp)
  await expect(withoutLines(refused)).rejects.toThrow()
  expect(await digestTables(usesUp)).toEqual(before)
  const run = await prepare()
  const last = await lastLine()
  await run()
  return linesAfter(last)
}

describe('an act of the dashboard', () => {
  test('is one of those that are made ready here', () => {
    expect(Object.keys(AUDITED_ACTS).sort()).toEqual(audited.sort())
  })

  test.each(audited)('%s is not done without its line, and has exactly one', async (name) => {
    let ownerId = -1
    const lines = await checkAct(
      async () => {
        const prepared = await AUDITED_ACTS[name]?.()
        if (!prepared) throw new Error(`${name} is not made ready`)
        ownerId = prepared.ownerId
        return () => callNamed(prepared.api, name)(prepared.input)
        // A key was used also where what it asked for is not done.
      },
      name.startsWith('public.') ? ['key_use'] : [],
    )
    expect(lines).toEqual([{ ownerId, action: expect.any(String) }])
  })
})

const untilIdle = () => pollUntil('the end of background work', () => backgroundWork.count === 0)
const tokenIn = (text = '') => /token=([\w-]+)/.exec(text)?.[1] ?? ''
const byMail = () => Object.assign(env(), { SMTP_URL: mail.url, SMTP_FROM: 'tollgate@example.com' })

async function linkMailedTo(address: string): Promise<string> {
  await untilIdle()
  return tokenIn(mail.mails.findLast(({ to }) => to[0] === address)?.text)
}

let people = 0

async function invitationOf({ api }: Awaited<ReturnType<typeof signUpSomebody>>): Promise<string> {
  return tokenIn((await api.members.invite({ role: 'viewer' })).url ?? '')
}

const command = (name: string, options: Record<string, string | boolean>) => () => {
  const found = [...ownerCommands, ...keyCommands].find((each) => each.name === name)
  if (!found) throw new Error(`there is no command ${name}`)
  return found.run(options)
}
const commandFor =
  (name: string, more: Record<string, string | boolean> = {}) =>
  async () =>
    command(name, { email: (await makeOwner()).email, ...more })

async function withPasskey() {
  const somebody = await signUpSomebody()
  const authenticator = makeAuthenticator(env().PUBLIC_URL)
  const response = authenticator.create(await somebody.api.security.beginPasskey())
  await somebody.api.security.addPasskey({ name: 'Laptop', response })
  return { ...somebody, authenticator }
}

/** Acts that no procedure of the dashboard is for, with the actions that they write. */
const OTHERS: Record<string, { actions: string[]; usesUp?: string[]; prepare: () => Promise<Run> }> = {
  'a sign-up': {
    actions: ['account_created'],
    prepare: async () => () =>
      signUpWithPassword({ email: `acts-${++people}@example.org`, password: PASSWORD }, browserHeaders()),
  },
  'a sign-up by an invitation': {
    actions: ['member_joined'],
    prepare: async () => {
      const token = await invitationOf(await signUpSomebody())
      const input = { email: `acts-${++people}@example.org`, password: PASSWORD }
      return () => signUpByInvitation(input, token, browserHeaders())
    },
  },
  'an invitation that somebody accepts': {
    actions: ['member_joined'],
    prepare: async () => {
      const [token, { cookie }] = [await invitationOf(await signUpSomebody()), await signUpSomebody()]
      return () => acceptInvitation(token, browserHeaders(cookie))
    },
  },
  'a sign-in': {
    actions: ['signed_in'],
    prepare: async () => {
      const { email } = await signUpSomebody()
      return () => signInWithPassword({ email, password: PASSWORD }, browserHeaders())
    },
  },
  'a sign-in with a passkey': {
    actions: ['signed_in'],
    // A proof is used up, as its counter says.
    usesUp: ['passkey'],
    prepare: async () => {
      const { authenticator } = await withPasskey()
      const response = authenticator.sign(await askForPasskey(false, browserHeaders()), { counter: 0 })
      return () => givePasskey({ response, isSecond: false }, browserHeaders())
    },
  },
  'a sign-out everywhere': {
    actions: ['signed_out_everywhere'],
    prepare: async () => {
      const { cookie } = await signUpSomebody()
      return () => signOut(browserHeaders(cookie), { everywhere: true })
    },
  },
  'a new password by a link': {
    actions: ['password_reset'],
    prepare: async () => {
      const { email } = await signUpSomebody()
      byMail()
      await forgotPassword({ email }, browserHeaders())
      const token = await linkMailedTo(email)
      return () => setPasswordByLink({ token, password: 'another battery horse' }, browserHeaders())
    },
  },
  'an address that is to be confirmed': {
    actions: ['email_change_requested'],
    prepare: async () => {
      const { api, email } = await signUpSomebody()
      byMail()
      return () => api.account.changeEmail({ email: `next-${email}` }).finally(untilIdle)
    },
  },
  'an address that is confirmed': {
    actions: ['email_changed'],
    prepare: async () => {
      const { api, email } = await signUpSomebody()
      byMail()
      await api.account.changeEmail({ email: `next-${email}` })
      const token = await linkMailedTo(`next-${email}`)
      return () => confirmAddress(token, browserHeaders())
    },
  },
  'a refresh token sent twice': {
    actions: ['key_revoked'],
    prepare: async () => {
      const { clientId, exchange } = await makeCode(await makeOwner())
      const token = String((await exchange()).body.refresh_token)
      const renew = () => sendForm('/token', { grant_type: 'refresh_token', client_id: clientId, refresh_token: token })
      await renew()
      return async () => {
        const { status, text } = await renew()
        if (status >= 500) throw new Error(text)
      }
    },
  },
  'the command owner create': {
    actions: ['account_created'],
    prepare: async () => command('owner create', { email: `acts-${++people}@example.org`, password: PASSWORD }),
  },
  'the command owner delete': { actions: ['account_deleted'], prepare: commandFor('owner delete', { yes: true }) },
  'the command owner sign-out': { actions: ['signed_out_everywhere'], prepare: commandFor('owner sign-out') },
  'the command owner remove-second-factors': {
    actions: ['second_factor_removed'],
    prepare: async () => command('owner remove-second-factors', { email: (await withPasskey()).email }),
  },
  'the command owner admin --remove': {
    actions: ['operator_removed'],
    prepare: async () => command('owner admin', { email: (await makeOperator()).owner.email, remove: true }),
  },
  'the command key create': { actions: ['key_created'], prepare: commandFor('key create', { name: 'k' }) },
}

describe('outside the dashboard', () => {
  test.each(Object.keys(OTHERS))('%s is not done without its line, and has exactly one', async (name) => {
    const other = OTHERS[name]
    if (!other) throw new Error(name)
    expect((await checkAct(other.prepare, other.usesUp)).map(({ action }) => action)).toEqual(other.actions)
  })
})

/** Refusals, which hold without their line, and what launchers say of a request. */
const NO_ACTS = ['sign_in_failed', 'second_factor_failed', 'settings_read', 'settings_refused']

test('every action that the log has is one of these acts', () => {
  expect([...seen, ...NO_ACTS].sort()).toEqual([...AuditAction.options].sort())
})
