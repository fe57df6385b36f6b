import { expect, test } from 'vitest'
import { prisma } from '../../server/db'
import { withSandbox } from '../support/api'
import { signedIn } from '../support/operators'
import { makeCaller, makeOwner } from '../support/owners'

withSandbox()

test('a new account takes the time zone of its first browser, once', async () => {
  const owner = await makeOwner()
  const { api } = await signedIn(owner)
  await expect(api.account.adoptTimeZone({ timeZone: 'Nowhere/Else' })).rejects.toThrow()
  expect(await api.account.adoptTimeZone({ timeZone: 'Europe/Berlin' })).toBe('set')
  expect(await api.account.timeZone()).toBe('Europe/Berlin')
  expect(await api.account.adoptTimeZone({ timeZone: 'Asia/Tokyo' })).toBe('kept')
  expect(await api.account.timeZone()).toBe('Europe/Berlin')
  const lines = await prisma().auditEvent.findMany({ where: { ownerId: owner.id, action: 'settings_changed' } })
  expect(lines).toMatchObject([{ actor: owner.email, actorKind: 'owner', detail: { timeZone: 'Europe/Berlin' } }])
})

test('an old account is asked, until somebody has chosen, UTC too', async () => {
  const { owner } = await makeCaller()
  await prisma().owner.update({ where: { id: owner.id }, data: { createdAt: new Date(Date.now() - 2 * 3_600_000) } })
  const { api } = await signedIn(owner)
  for (let n = 0; n < 2; n++) expect(await api.account.adoptTimeZone({ timeZone: 'Europe/Berlin' })).toBe('ask')
  expect(await api.account.timeZone()).toBe('UTC')
  await api.account.setTimeZone({ timeZone: 'UTC' })
  expect(await api.account.adoptTimeZone({ timeZone: 'Europe/Berlin' })).toBe('kept')
})
