import { beforeEach, describe, expect, test } from 'vitest'
import { makeSessionCookie } from '../../server/accounts/session'
import { acceptInvitation, findInvitation, signUpInvited } from '../../server/api/account-links'
import { prisma } from '../../server/db'
import { env } from '../../server/env'
import { backgroundWork } from '../../server/kit/background'
import { callQuery, send, withSandbox } from '../support/api'
import { joinSomebody } from '../support/owners'
import { pollUntil } from '../support/poll-until'
import { browserHeaders, callAs, forgetAttempts, PASSWORD, signUpSomebody } from '../support/signed-in'
import { startMailServer } from '../support/smtp'

withSandbox()
beforeEach(async () => {
  await forgetAttempts()
  Object.assign(env(), { SIGNUP: 'open', SMTP_URL: undefined })
})

const tokenIn = (text: string | null | undefined) => /token=([\w-]+)/.exec(text ?? '')?.[1] ?? ''
const apiOf = async (id: number) =>
  callAs(await makeSessionCookie(await prisma().owner.findUniqueOrThrow({ where: { id } })))

let people = 0
/** A new person by a link, with the procedures for them. */
async function signUpBy(token: string) {
  const email = `invited-${++people}@example.org`
  const [cookie] = await signUpInvited({ token, email, password: PASSWORD }, browserHeaders())
  if (!cookie) throw new Error('there is no session')
  return { email, api: callAs(cookie) }
}

describe('an invitation', () => {
  test('makes a new person a member without an account of their own, also where sign-up is closed', async () => {
    const { email, api } = await signUpSomebody()
    const token = tokenIn((await api.members.invite({ role: 'developer' })).url)
    expect(await findInvitation(token)).toMatchObject({ role: 'developer', madeBy: email, email: null, signsUp: true })
    Object.assign(env(), { SIGNUP: 'closed' })
    const invited = await signUpBy(token)
    const me = await invited.api.account.me()
    expect(me.accounts).toHaveLength(1)
    expect(me.account).toMatchObject({ name: email, role: 'developer' })
    expect((await api.members.list()).map((member) => [member.email, member.role])).toEqual([
      [email, 'owner'],
      [invited.email, 'developer'],
    ])
    await expect(signUpBy(token)).rejects.toMatchObject({ code: 'conflict' })
  })

  test('makes somebody who has an account a member of both, and they switch', async () => {
    const [host, guest] = [await signUpSomebody(), await signUpSomebody()]
    const token = tokenIn((await host.api.members.invite({ role: 'billing' })).url)
    await acceptInvitation(token, browserHeaders(guest.cookie))
    expect(await guest.api.account.me()).toMatchObject({ account: { accountId: host.id, role: 'billing' } })
    await expect(guest.api.keys.list({})).rejects.toThrow('This needs the role viewer')
    await guest.api.members.switchAccount({ accountId: guest.id })
    expect((await guest.api.keys.list({})).rows).toEqual([])
    expect((await guest.api.account.me()).accounts.map(({ accountId }) => accountId).sort()).toEqual(
      [host.id, guest.id].sort(),
    )
  })

  test('goes by e-mail where that can be sent, and then is not shown', async () => {
    const mail = await startMailServer()
    const { api } = await signUpSomebody()
    Object.assign(env(), { SMTP_URL: mail.url, SMTP_FROM: 'tollgate@example.com' })
    expect((await api.members.invite({ role: 'viewer', email: 'New@Example.org' })).url).toBeNull()
    await pollUntil('the e-mail', () => backgroundWork.count === 0)
    const token = tokenIn(mail.mails.at(-1)?.text)
    // Only a link that came by e-mail confirms an address.
    const shown = tokenIn((await api.members.invite({ role: 'viewer' })).url)
    expect(await findInvitation(shown)).toMatchObject({ signsUp: false })
    await expect(signUpBy(shown)).rejects.toMatchObject({ code: 'conflict' })
    await signUpBy(token)
    expect((await api.members.list()).map(({ email }) => email)).toContain('new@example.org')
    await mail.stop()
  })

  test('that was withdrawn or has expired works no more', async () => {
    const { api } = await signUpSomebody()
    const [withdrawn, expired] = [
      await api.members.invite({ role: 'viewer' }),
      await api.members.invite({ role: 'viewer' }),
    ]
    await api.members.withdraw({ id: withdrawn.id })
    await prisma().invitation.update({ where: { id: expired.id }, data: { expiresAt: new Date(0) } })
    for (const { url } of [withdrawn, expired]) {
      expect(await findInvitation(tokenIn(url))).toBeNull()
      await expect(signUpBy(tokenIn(url))).rejects.toMatchObject({ code: 'conflict' })
    }
    expect(await api.members.invitations()).toEqual([])
  })

  test('into owners, and a change of them, is only for owners', async () => {
    const { id, api } = await signUpSomebody()
    const admin = await apiOf(await joinSomebody(id, 'admin'))
    const onlyOwners = { message: expect.stringContaining('This needs the role owner') }
    await expect(admin.members.invite({ role: 'owner' })).rejects.toMatchObject(onlyOwners)
    await expect(admin.members.changeRole({ personId: id, role: 'viewer' })).rejects.toMatchObject(onlyOwners)
    await expect(admin.members.remove({ personId: id })).rejects.toMatchObject(onlyOwners)
    expect(await api.members.list()).toHaveLength(2)
  })
})

describe('a member who leaves', () => {
  test('loses sessions and management keys of the account, whose other keys stay', async () => {
    const host = await signUpSomebody()
    const person = await joinSomebody(host.id, 'admin')
    const api = await apiOf(person)
    const key = await api.keys.create({ name: 'app', budget: 100 })
    const managing = await api.keys.createManagement({ name: 'ops', scopes: ['keys'] })
    await host.api.members.remove({ personId: person })
    await expect(api.account.me()).rejects.toThrow('Your session has ended')
    expect((await send('/api/v1/manage/keys', { key: managing.key })).status).toBe(401)
    expect((await callQuery(key.key, 'web_search', { query: 'tolls' })).status).toBe(200)
  })

  test('is not the last owner, at two at once neither', async () => {
    const { id, api } = await signUpSomebody()
    await expect(api.members.leave()).rejects.toThrow('last owner')
    await expect(api.members.changeRole({ personId: id, role: 'viewer' })).rejects.toThrow('last owner')
    const other = await apiOf(await joinSomebody(id, 'owner'))
    const outcomes = await Promise.allSettled([api.members.leave(), other.members.leave()])
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await prisma().member.count({ where: { accountId: id, role: 'owner' } })).toBe(1)
  })
})

describe('a second factor that an account asks for', () => {
  test('keeps a member without one from everything but the page that adds one', async () => {
    const { id, api } = await signUpSomebody()
    const member = await apiOf(await joinSomebody(id))
    await api.members.setRequiresFactor({ isOn: true })
    await expect(member.keys.list({})).rejects.toThrow('You need a second factor here')
    expect((await member.security.overview()).isRequired).toBe(true)
    expect((await member.account.me()).account).toMatchObject({ accountId: id })
  })
})

describe('deleting oneself', () => {
  test('leaves an account to its other owners, and takes away one without', async () => {
    const { id, email, api } = await signUpSomebody()
    const other = await apiOf(await joinSomebody(id, 'owner'))
    await api.account.delete({ email, password: PASSWORD })
    expect((await other.account.me()).account).toMatchObject({ accountId: id, name: `Account ${id}` })
    expect((await other.keys.list({})).rows).toEqual([])
    await other.members.deleteAccount({ accountId: id })
    expect(await prisma().owner.findUniqueOrThrow({ where: { id } })).toMatchObject({
      email: `deleted-${id}@deleted.invalid`,
      deletedAt: expect.any(Date),
    })
    expect(await prisma().member.count({ where: { accountId: id } })).toBe(0)
  })

  test('is refused to the last owner of somebody else’s account', async () => {
    const [host, guest] = [await signUpSomebody(), await signUpSomebody()]
    const token = tokenIn((await host.api.members.invite({ role: 'owner' })).url)
    await acceptInvitation(token, browserHeaders(guest.cookie))
    await host.api.members.leave()
    await expect(guest.api.account.delete({ email: guest.email, password: PASSWORD })).rejects.toThrow('last owner')
    expect((await guest.api.account.me()).email).toBe(guest.email)
  })
})
