import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { forgetAttempts, signInAgain, signUpSomebody } from '../support/signed-in'

beforeEach(forgetAttempts)

describe('sessions', () => {
  test('are listed with the one that asks marked, and where and with what each was begun', async () => {
    const { email, api } = await signUpSomebody()
    await signInAgain(email)
    const list = await api.account.sessions()
    expect(list.map(({ isCurrent, address, userAgent }) => [isCurrent, address, userAgent])).toEqual(
      expect.arrayContaining([
        [true, '203.0.113.9', 'Firefox'],
        [false, '203.0.113.9', 'Safari'],
      ]),
    )
    expect(list).toHaveLength(2)
  })

  test('end one by one', async () => {
    const { email, api } = await signUpSomebody()
    const other = await signInAgain(email)
    const theirs = (await api.account.sessions()).find(({ isCurrent }) => !isCurrent)
    await api.account.endSession({ id: theirs?.id ?? '' })
    await expect(other.api.account.me()).rejects.toThrow('Your session has ended')
    expect((await api.account.me()).email).toBe(email)
  })

  test('of others all end at once, and this one stays', async () => {
    const { email, api } = await signUpSomebody()
    const others = [await signInAgain(email), await signInAgain(email)]
    await api.account.endOtherSessions()
    for (const other of others) await expect(other.api.account.me()).rejects.toThrow('Your session has ended')
    expect(await api.account.sessions()).toMatchObject([{ isCurrent: true }])
    expect((await api.account.audit({ limit: 1 })).rows).toMatchObject([{ action: 'other_sessions_ended' }])
  })

  test('of another owner, and ones that are not there, are not found', async () => {
    const [one, two] = [await signUpSomebody(), await signUpSomebody()]
    const [theirs] = await two.api.account.sessions()
    for (const id of [theirs?.id ?? '', randomUUID()]) {
      await expect(one.api.account.endSession({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    }
    expect((await two.api.account.me()).email).toBe(two.email)
  })
})
