import { expect, test } from 'vitest'
import { isUuid, uuidv7 } from './id'

test('an id is a UUID of version 7', () => {
  for (let i = 0; i < 100; i++) {
    const id = uuidv7()
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(isUuid(id)).toBe(true)
  }
})

test('an id begins with its time in milliseconds, so later ones sort after earlier ones', () => {
  const at = Date.UTC(2026, 10, 21)
  expect(Number.parseInt(uuidv7(at).replaceAll('-', '').slice(0, 12), 16)).toBe(at)
  const ids = [at + 5000, at, at + 1, at + 256, at + 65_536].map((t) => uuidv7(t))
  expect([...ids].sort()).toEqual([ids[1], ids[2], ids[3], ids[0], ids[4]])
})

test('ids of the same millisecond differ', () => {
  expect(new Set(Array.from({ length: 10_000 }, () => uuidv7(1))).size).toBe(10_000)
})

test.each([
  '',
  'x',
  '0190f3c4-0000-7000-8000-00000000000',
  '0190f3c40000700080000000000000000000',
  ' 0190f3c4-0000-7000-8000-000000000000',
  '0190f3c4-0000-7000-8000-000000000000\n',
])('%j is no UUID', (text) => {
  expect(isUuid(text)).toBe(false)
})
