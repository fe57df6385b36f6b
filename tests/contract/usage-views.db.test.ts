import { beforeEach, describe, expect, it } from 'vitest'
import { makeSessionCookie } from '../../server/accounts/session'
import { ROLES } from '../../server/accounts/shape'
import { prisma } from '../../server/db'
import { withSandbox } from '../support/api'
import { joinSomebody, makeOwner } from '../support/owners'
import { callAs, forgetAttempts, signUpSomebody } from '../support/signed-in'

withSandbox()
beforeEach(forgetAttempts)

const apiOf = async (id: number) =>
  callAs(await makeSessionCookie(await prisma().owner.findUniqueOrThrow({ where: { id } })))

const store = (accountId: number, personId: number, views: object) =>
  prisma().member.update({ where: { accountId_personId: { accountId, personId } }, data: { views } })

describe('views of usage', () => {
  it('are kept by name, and removed whatever the case of its letters', async () => {
    const { api } = await signUpSomebody()
    expect(await api.usage.views()).toEqual([])
    await api.usage.saveView({ name: ' Models this month ', query: 'range=month&product=chat' })
    await api.usage.saveView({ name: 'Everything', query: '' })
    const both = [
      { name: 'Everything', query: '' },
      { name: 'Models this month', query: 'range=month&product=chat' },
    ]
    expect(await api.usage.views()).toEqual(both)
    expect(await api.usage.removeView({ name: 'models THIS month' })).toEqual(both.slice(0, 1))
    await expect(api.usage.removeView({ name: 'models this month' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await api.usage.views()).toEqual(both.slice(0, 1))
  })

  it.each(ROLES)('are those of one person: a member with the role %s has none of the others', async (role) => {
    const owner = await makeOwner()
    const [ofOwner, ofMember] = [await apiOf(owner.id), await apiOf(await joinSomebody(owner.id, role))]
    await ofOwner.usage.saveView({ name: 'mine', query: 'range=7d' })
    expect(await ofMember.usage.views()).toEqual([])
    await expect(ofMember.usage.removeView({ name: 'mine' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await ofMember.usage.saveView({ name: 'mine', query: 'range=today' })
    expect(await ofOwner.usage.views()).toEqual([{ name: 'mine', query: 'range=7d' }])
    expect(await ofMember.usage.views()).toEqual([{ name: 'mine', query: 'range=today' }])
  })

  it('are of one account: in another one the same person has others', async () => {
    const [{ id, api }, other] = [await signUpSomebody(), await makeOwner()]
    await prisma().member.create({ data: { accountId: other.id, personId: id, role: 'viewer' } })
    await api.usage.saveView({ name: 'of mine', query: '' })
    await api.members.switchAccount({ accountId: other.id })
    expect(await api.usage.views()).toEqual([])
    await api.members.switchAccount({ accountId: id })
    expect(await api.usage.views()).toHaveLength(1)
  })

  it('have names that differ by more than case, and are 20 at most, also of those saved at once', async () => {
    const { api } = await signUpSomebody()
    const answers = await Promise.allSettled(
      Array.from({ length: 22 }, (_, at) => api.usage.saveView({ name: `view ${at}`, query: '' })),
    )
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(20)
    const [first] = await api.usage.views()
    expect(await api.usage.views()).toHaveLength(20)
    await expect(api.usage.saveView({ name: 'one more', query: '' })).rejects.toThrow('You have 20 views')
    await api.usage.removeView({ name: first?.name ?? '' })
    const [second] = await api.usage.views()
    const again = { name: second?.name.toUpperCase() ?? '', query: '' }
    await expect(api.usage.saveView(again)).rejects.toThrow('Choose another name')
  })

  it.each([
    { name: ' ', query: '' },
    { name: 'x'.repeat(61), query: '' },
    { name: 'a\0b', query: '' },
    { name: 'long', query: 'q'.repeat(2_001) },
    { name: 'no query', query: 'customer=\0' },
    { name: 'no query', query: 'customer=Müller' },
  ])('refuse $name with an unfit name or query', async (view) => {
    const { api } = await signUpSomebody()
    await expect(api.usage.saveView(view)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    expect(await api.usage.views()).toEqual([])
  })

  it('may be as long as they are allowed to be', async () => {
    const { api } = await signUpSomebody()
    const view = { name: 'n'.repeat(60), query: 'q'.repeat(2_000) }
    expect(await api.usage.saveView(view)).toEqual([view])
  })

  it('leave out what is stored and no view', async () => {
    const { id, api } = await signUpSomebody()
    const kept = { name: 'kept', query: 'range=7d' }
    for (const strange of [{}, 'text', 7, [null, 3, { name: 'x' }, { name: '', query: '' }]]) {
      await store(id, id, strange as object)
      expect(await api.usage.views()).toEqual([])
    }
    await store(id, id, [null, kept, { name: 4, query: [] }])
    expect(await api.usage.views()).toEqual([kept])
    expect(await api.usage.saveView({ name: 'another', query: '' })).toEqual([{ name: 'another', query: '' }, kept])
  })
})
