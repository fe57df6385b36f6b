import { describe, expect, it } from 'vitest'
import { hashSecret, isWellFormedSecret, makeSecret } from './secret'

describe('key secrets', () => {
  it('have the prefix, 30 random digits and a checksum of six', () => {
    expect(makeSecret()).toMatch(/^tg_[0-9A-Za-z]{36}$/)
    expect(isWellFormedSecret(makeSecret())).toBe(true)
  })

  it('differ every time', () => {
    expect(new Set(Array.from({ length: 200 }, makeSecret)).size).toBe(200)
  })

  it('are refused when one character is changed, cut or added', () => {
    const secret = makeSecret()
    const other = secret[10] === 'a' ? 'b' : 'a'
    expect(isWellFormedSecret(secret.slice(0, 10) + other + secret.slice(11))).toBe(false)
    expect(isWellFormedSecret(secret.slice(0, -1))).toBe(false)
    expect(isWellFormedSecret(`${secret}0`)).toBe(false)
    expect(isWellFormedSecret('')).toBe(false)
  })

  it('are stored as 32 bytes that do not contain them', () => {
    expect(hashSecret('tg_x')).toHaveLength(32)
    expect(hashSecret('tg_x').toString('utf8')).not.toContain('tg_x')
  })
})
