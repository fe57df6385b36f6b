import { expect, test } from 'vitest'
import { isMapped, systemId } from './system-user'

test('every purpose has an id of its own', () => {
  expect(systemId('database')).not.toBe(systemId('browser'))
})

test('an id is used only where the user namespace has it', () => {
  expect(isMapped(60_710, '         0          0 4294967295\n')).toBe(true)
  expect(isMapped(60_710, '0 1000 1\n1 100000 65536\n')).toBe(true)
  expect(isMapped(60_710, '0 1000 1\n')).toBe(false)
})
