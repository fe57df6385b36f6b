import { describe, expect, test } from 'vitest'
import { jsonBytes, keepJson } from './kept-json'

const parsed = (body: Record<string, unknown>) => JSON.parse(jsonBytes(body).toString())

describe('a body as bytes', () => {
  const tools = keepJson([{ name: 'é"', size: 1 }])

  test('is its JSON', () => {
    expect(jsonBytes({ a: 1, b: ['ü'], c: undefined }).toString()).toBe('{"a":1,"b":["ü"]}')
    expect(jsonBytes({}).toString()).toBe('{}')
  })

  test('has the fields whose JSON is kept', () => {
    expect(parsed({ tools, model: 'one', n: null })).toEqual({ tools, model: 'one', n: null })
  })

  test('may have nothing but those', () => {
    expect(parsed({ tools, 'the "same"': tools })).toEqual({ tools, 'the "same"': tools })
  })
})
