import { expect, test } from 'vitest'
import { addChatPrices } from './chat-price'
import { chatRequestCurl, chatRequestJavascript, chatRequestPython } from './code'
import type { PlaygroundRequest } from './request'

const request: PlaygroundRequest = {
  model: 'a/b',
  messages: [
    { role: 'system', content: 'Be brief. It’s "short".' },
    { role: 'user', content: "What's a toll?" },
  ],
  tools: [{ type: 'function', function: { name: 'web_search', description: 'Searches', parameters: { a: true } } }],
  stream: true,
  temperature: 0.5,
}
const code = { baseUrl: 'https://tolls.example', request }

test('the curl command has the very request, quoted for a shell', () => {
  const text = chatRequestCurl(code)
  expect(text).toContain('https://tolls.example/api/v1/chat/completions')
  expect(text).toContain('$TOLLGATE_KEY')
  const body = /-d '(.*)'$/s.exec(text)?.[1]?.replaceAll(`'\\''`, "'")
  expect(JSON.parse(body ?? '')).toEqual(request)
})

test('the JavaScript has the very request, and reads the key from the environment', () => {
  const text = chatRequestJavascript(code)
  const body = /completions\.create\((\{.*\})\)\n/s.exec(text)?.[1]
  expect(JSON.parse(body ?? '')).toEqual(request)
  expect(text).toContain('process.env.TOLLGATE_KEY')
})

test('the Python has each field as an argument, with Python’s own words', () => {
  const text = chatRequestPython(code)
  expect(text).toContain('    model="a/b",\n')
  expect(text).toContain('    stream=True,\n')
  expect(text).toContain('"parameters": {"a": True}')
  expect(text).toContain('os.environ["TOLLGATE_KEY"]')
})

const price = (most: number, given = {}) => ({
  most,
  typical: 5,
  basis: 'estimate' as const,
  available: 100,
  isShort: false,
  mustConfirm: false,
  creditsPerUsd: 1_000,
  promptTokens: 4,
  ...given,
})

test('several models cost their sum, and what is short or dear of one is so of all', () => {
  expect(addChatPrices(['a', 'b'], [price(10), price(20, { isShort: true, mustConfirm: true })])).toMatchObject({
    most: 30,
    typical: 10,
    isShort: true,
    mustConfirm: true,
    each: [
      { model: 'a', most: 10 },
      { model: 'b', most: 20 },
    ],
  })
  expect(addChatPrices(['a', 'b'], [price(10), null])).toBeNull()
})
