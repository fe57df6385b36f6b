import { expect, test } from 'vitest'
import { hashPassword, verifyPassword } from './password'

test('a password is stored as argon2id at the least cost that OWASP names, each time with another salt', async () => {
  const stored = await Promise.all(['horse', 'horse'].map(hashPassword))
  for (const form of stored) {
    expect(form).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(await verifyPassword(form, 'horse')).toBe(true)
    expect(await verifyPassword(form, 'house')).toBe(false)
  }
  expect(stored[0]).not.toBe(stored[1])
  expect(await verifyPassword(null, 'horse')).toBe(false)
})
