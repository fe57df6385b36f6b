import { beforeEach, describe, expect, test } from 'vitest'
import { makeSessionCookie } from '../../server/accounts/session'
import { mayAs, ROLE_LEVELS, ROLES } from '../../server/accounts/shape'
import { procedureRoles } from '../../server/api/operations'
import { appRouter } from '../../server/api/router'
import { toAppError } from '../../server/api/trpc'
import { prisma } from '../../server/db'
import { withSandbox } from '../support/api'
import { makeManagementKey } from '../support/management'
import { joinSomebody, makeCaller, makeOwner } from '../support/owners'
import { callAs, callNamed, forgetAttempts } from '../support/signed-in'

withSandbox()
beforeEach(forgetAttempts)

const apiOf = async (id: number) =>
  callAs(await makeSessionCookie(await prisma().owner.findUniqueOrThrow({ where: { id } })))

/** How a call is refused; null: it is not. */
const refusalOf = (call: Promise<unknown>) =>
  call.then(
    () => null,
    (error) => toAppError(error),
  )

/** Leaves the account that the others are called in. */
const LAST = 'members.leave'
const paths = procedureRoles()
  .map(({ path }) => path)
  .sort((a, b) => Number(a === LAST) - Number(b === LAST))

test('every procedure of the dashboard declares its least role, or is of the person alone', () => {
  const names = Object.keys(appRouter._def.procedures).filter((name) => !/^(public|visitor|operators)\./.test(name))
  const ofPerson = names.filter((name) => !paths.includes(name))
  expect(ofPerson.filter((name) => !name.startsWith('security.')).sort()).toEqual([
    'account.changeEmail',
    'account.changePassword',
    'account.delete',
    'account.deletion',
    'account.endOtherSessions',
    'account.endSession',
    'account.me',
    'account.profile',
    'account.rename',
    'account.sessions',
    'issuer.link',
    'issuer.removeLink',
    'issuer.saveLink',
    'members.switchAccount',
  ])
})

describe.each(ROLES)('%s', (role) => {
  test('is let in by what asks for no more than that, and gets 403 with the role from the rest', async () => {
    const { owner } = await makeCaller()
    const api = await apiOf(await joinSomebody(owner.id, role))
    const levels = new Map(procedureRoles().map(({ path, least: asked }) => [path, asked]))
    const wrong: string[] = []
    for (const path of paths) {
      const asked = levels.get(path) ?? 'owner'
      const refusal = await refusalOf(callNamed(api, path)({}))
      const isRefused = refusal?.code === 'forbidden' && refusal.message.includes(`This needs the role ${asked}.`)
      if (isRefused === mayAs(role, asked)) wrong.push(`${path}: ${refusal?.message ?? 'let in'}`)
    }
    expect(wrong).toEqual([])
  })
})

test('who pays and who makes keys are beside each other, an owner above all', () => {
  expect(mayAs('billing', 'viewer')).toBe(false)
  expect(mayAs('developer', 'billing')).toBe(false)
  expect(ROLE_LEVELS.every((least) => mayAs('owner', least))).toBe(true)
})

describe('a developer', () => {
  test('cannot change, rotate or revoke a management key', async () => {
    const owner = await makeOwner()
    const { id } = await makeManagementKey(owner)
    const api = await apiOf(await joinSomebody(owner.id))
    const needsAdmin = { message: expect.stringContaining('This needs the role admin') }
    await expect(api.keys.rotate({ id, overlapMinutes: 0 })).rejects.toMatchObject(needsAdmin)
    await expect(api.keys.change({ id, changes: { name: 'x' } })).rejects.toMatchObject(needsAdmin)
    await expect(api.keys.revoke({ id })).rejects.toMatchObject(needsAdmin)
  })

  test('makes keys that show who made them, and sees no balance', async () => {
    const owner = await makeOwner()
    const person = await joinSomebody(owner.id)
    const api = await apiOf(person)
    const { email } = await prisma().owner.findUniqueOrThrow({ where: { id: person } })
    const made = await api.keys.create({ name: 'mine', budget: 5 })
    expect(made.madeBy).toBe(email)
    expect((await (await apiOf(owner.id)).keys.get({ id: made.id })).madeBy).toBe(email)
    expect(await api.overview.get()).toMatchObject({ balance: null, dailyLimit: null, pace: null })
  })
})

describe('a billing member', () => {
  test('gets sums, but by no key', async () => {
    const owner = await makeOwner()
    const api = await apiOf(await joinSomebody(owner.id, 'billing'))
    expect((await api.usage.totals({})).total).toMatchObject({ calls: 0 })
    expect(await api.credits.statement({})).toBeTruthy()
    await expect(api.usage.totals({ by: 'key' })).rejects.toThrow('This needs the role viewer')
    await expect(api.usage.totals({ keyId: 1 })).rejects.toThrow('This needs the role viewer')
  })
})
