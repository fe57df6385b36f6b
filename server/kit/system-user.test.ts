import { expect, test } from 'vitest'
import { isMappedId, unprivilegedId } from './system-user'

test('every purpose has an id of its own', () => {
  expect(unprivilegedId('database')).not.toBe(unprivilegedId('browser'))
})

test('an id is used only where the user namespace has it', () => {
  expect(isMappedId(60_710, '         0          0 4294967295\n')).toBe(true)
  expect(isMappedId(60_710, '0 1000 1\n1 100000 65536\n')).toBe(true)
  expect(isMappedId(60_710, '0 1000 1\n')).toBe(false)
})
