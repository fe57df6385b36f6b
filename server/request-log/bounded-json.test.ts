import { describe, expect, test } from 'vitest'
import { boundedJson, MAX_LOGGED_BYTES } from './bounded-json'

const copyOf = (value: unknown, max?: number): unknown => JSON.parse(boundedJson(value, max).json)

describe('what is kept of a value', () => {
  test('is the value, where it is short and has no secret', () => {
    const value = { model: 'm', messages: [{ role: 'user', content: 'Hi ☕' }], n: 1, stream: false, stop: null }
    expect(boundedJson(value)).toEqual({ json: JSON.stringify(value), isTruncated: false })
    for (const plain of [null, 'x', 5, true, [], {}]) expect(copyOf(plain)).toEqual(plain)
    expect(copyOf(undefined)).toBe(null)
  })

  test('has no secret, neither in fields nor in texts', () => {
    const value = { apiKey: 'x', nested: [{ password: 'y' }], cookies: 1, text: 'Bearer abcdef', token: ['a', 'b'] }
    expect(copyOf(value)).toEqual({
      ...{ apiKey: '[redacted]', nested: [{ password: '[redacted]' }], cookies: 1 },
      ...{ text: '[redacted]', token: ['[redacted]', '[redacted]'] },
    })
  })

  test('has a note in the place of images and other data', () => {
    const data = 'QUJD'.repeat(1_000)
    expect(copyOf([`data:image/png;base64,${data}`, data, `See ![x](data:image/gif;base64,${data}) there`])).toEqual([
      '[image/png, 3000 bytes]',
      '[4000 characters of base64]',
      'See ![x]([image/gif, 3000 bytes]) there',
    ])
    expect(boundedJson(`data:image/png;base64,${data}`, 100).isTruncated).toBe(false)
  })

  test.each([
    ['a text', 'words and '.repeat(20_000)],
    ['a text beyond ASCII', '☕ "x" \n'.repeat(20_000)],
    ['a list', Array.from({ length: 50_000 }, (_, i) => i)],
    ['a record', Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`field ${i}`, 'x']))],
    ['texts in texts', { a: 'one and '.repeat(10_000), b: ['two'] }],
  ])('is at most 64 KiB of JSON, and says so: %s', (_name, value) => {
    const { json, isTruncated } = boundedJson(value)
    expect(isTruncated).toBe(true)
    expect(Buffer.byteLength(json)).toBeLessThanOrEqual(MAX_LOGGED_BYTES)
    expect(Buffer.byteLength(json)).toBeGreaterThan(MAX_LOGGED_BYTES / 2)
    expect(JSON.parse(json)).toBeTruthy()
  })

  test('is never longer than the limit, whatever that is', () => {
    const value = { a: ['☕☕☕', 12345, { b: 'c' }], 'd"e': 'f'.repeat(40), g: true }
    for (let max = 8; max < 120; max++) expect(Buffer.byteLength(boundedJson(value, max).json)).toBeLessThanOrEqual(max)
  })

  test('shows no part of a secret that the cut goes through', () => {
    for (let length = 20; length < 80; length++)
      expect(boundedJson(`${'a '.repeat(length / 2)}sk-abcdefghijklmnopqrstuvwxyz`, 60).json).not.toContain('sk-abc')
  })

  test('ends at a depth that no honest request has', () => {
    const deep = JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`)
    expect(boundedJson(deep).isTruncated).toBe(true)
  })

  test('has no character that PostgreSQL refuses', () => {
    expect(copyOf({ 'a\0b': 'c\0d\ud800' })).toEqual({ ab: 'cd\ufffd' })
  })
})
