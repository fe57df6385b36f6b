import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, test } from 'vitest'
import { countTokens, countTokensCached, makeTokenCounter } from './tokens'

const MIB = 1024 * 1024
const english = 'A gate keeps its ledger: 1,234 calls were let through, and each of them left a line behind.\n'

test('a text counts as its tokenizer says', async () => {
  expect(await countTokens('')).toBe(0)
  expect(await countTokens('hello world')).toBe(2)
  const long = english.repeat(200)
  expect(Math.abs((await countTokens(long)) - encode(long).length)).toBeLessThanOrEqual(long.length / 512)
})

test.each([
  ['a short text', 'toll'],
  ['a text that is remembered', 'Every road has its toll. '.repeat(40)],
  ['a text too long to be remembered', 'Every road has its toll. '.repeat(1_000)],
])('%s counts the same however often it comes, whole or in part', async (_, text) => {
  for (const maxExact of [undefined, 30, undefined, 30]) {
    expect(await countTokensCached(text, maxExact)).toBe(await countTokens(text, maxExact))
  }
})

/** CPU time of this thread: a busy machine does not change it. */
const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

test('special tokens are plain text', async () => {
  expect(await countTokens('<|endoftext|>')).toBeGreaterThan(1)
})

test.each([
  ['prose', english.repeat((20 * MIB) / english.length)],
  ['one letter', 'a'.repeat(20 * MIB)],
  ['blanks', ' '.repeat(20 * MIB)],
  ['emoji', '🦆'.repeat(5 * MIB)],
])('20 MiB of %s take bounded CPU time, yield to others, and are not undercounted', async (_name, text) => {
  let longest = 0
  const started = cpuMs()
  let before = started
  const beat = setInterval(() => {
    longest = Math.max(longest, cpuMs() - before)
    before = cpuMs()
  }, 1)
  const tokens = await countTokens(text)
  clearInterval(beat)
  expect(cpuMs() - started).toBeLessThan(8_000)
  expect(longest).toBeLessThan(400)
  expect(tokens).toBeGreaterThanOrEqual(text.length / 20)
  expect(tokens).toBeLessThanOrEqual(Buffer.byteLength(text))
})

test.each([
  ['prose', english.repeat(3_000)],
  ['no blanks', 'abcdefghij'.repeat(20_000)],
  ['surrogates', '🦆'.repeat(50_000)],
])('a stream of %s counts like the whole, however it is cut', async (_name, text) => {
  const whole = await countTokens(text)
  for (const size of [1, 7, 4_096]) {
    const counter = makeTokenCounter()
    for (let at = 0; at < text.length; at += size) counter.add(text.slice(at, at + size))
    expect(await counter.total()).toBe(whole)
  }
})

test('a total may be asked for in between', async () => {
  const counter = makeTokenCounter()
  counter.add('hello')
  expect(await counter.total()).toBe(1)
  counter.add(' world')
  expect(await counter.total()).toBe(2)
})
