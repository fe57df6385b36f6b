import { parseArgs } from 'node:util'
import { expect, test } from 'vitest'
import { createOwnerArgs } from './demo-account'

test.each(['-Zk3', '--password', 'plain'])('a demo account may have the password %s', (password) => {
  const options = { email: { type: 'string' }, password: { type: 'string' }, admin: { type: 'boolean' } } as const
  const { values } = parseArgs({ args: createOwnerArgs('o@example.com', password), options, allowPositionals: true })
  expect(values).toEqual({ email: 'o@example.com', password, admin: true })
})
