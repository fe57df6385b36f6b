import { expect, test } from 'vitest'
import { decryptText, encryptText } from './encryption'

const KEY = 'ab'.repeat(32)

test('what is sealed opens with the same key for the same purpose, and never looks the same twice', () => {
  const sealed = encryptText('postgres://user:pässword@host/db', KEY, 'owner 1')
  expect(decryptText(sealed, KEY, 'owner 1')).toBe('postgres://user:pässword@host/db')
  expect(encryptText('x', KEY, 'a').equals(encryptText('x', KEY, 'a'))).toBe(false)
  expect(sealed.toString('latin1')).not.toContain('user')
})

test('another key, another purpose, a changed or a cut text open nothing', () => {
  const sealed = encryptText('secret', KEY, 'owner 1')
  expect(decryptText(sealed, 'cd'.repeat(32), 'owner 1')).toBeNull()
  expect(decryptText(sealed, KEY, 'owner 2')).toBeNull()
  for (let at = 0; at < sealed.byteLength; at++) {
    const changed = Buffer.from(sealed)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect(decryptText(changed, KEY, 'owner 1'), String(at)).toBeNull()
  }
  expect(decryptText(sealed.subarray(0, 20), KEY, 'owner 1')).toBeNull()
})
