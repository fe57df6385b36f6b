import { expect, test } from 'vitest'
import { startCpuTimer } from '../../../tests/support/cpu-time'
import { countTokens } from '../tokens'
import { estimatePrompt } from './prompt'

const model = { contextSize: 1_000_000 }
const user = (content: unknown, rest: object = {}) => ({ messages: [{ role: 'user', content, ...rest }] })
const image = (url: string, detail?: string) => ({ type: 'image_url', image_url: { url, ...(detail && { detail }) } })

test('a plain message is its text and a little around it', async () => {
  expect(await estimatePrompt(user('hello world'), model)).toBe(2 + 4 + 3)
})

test('parts, names and tool calls count as text', async () => {
  const plain = await estimatePrompt(user('hello'), model)
  expect(await estimatePrompt(user([{ type: 'text', text: 'hello' }]), model)).toBe(plain)
  expect(await estimatePrompt(user('hello', { name: 'Gustav Adolf' }), model)).toBe(
    plain + (await countTokens('Gustav Adolf')),
  )
  const calls = [{ id: 'c', type: 'function', function: { name: 'look', arguments: '{"where":"over there"}' } }]
  expect(await estimatePrompt(user('hello', { tool_calls: calls }), model)).toBeGreaterThan(
    plain + (await countTokens('{"where":"over there"}')),
  )
})

test('tools, response schema and unknown fields count; settings do not', async () => {
  const plain = await estimatePrompt(user('hello'), model)
  const long = 'a description of many words '.repeat(50)
  const many = await countTokens(long)
  const fn = { name: 'look', description: long, parameters: { type: 'object' } }
  for (const extra of [
    { tools: [{ type: 'function', function: fn }] },
    { functions: [fn] },
    { response_format: { type: 'json_schema', json_schema: { name: 'x', schema: { description: long } } } },
    { documents: [long] },
    { system: long },
  ]) {
    expect(await estimatePrompt({ ...user('hello'), ...extra }, model)).toBeGreaterThanOrEqual(plain + many)
  }
  expect(await estimatePrompt({ ...user('hello'), user: long, stop: [long], metadata: { long }, n: 8 }, model)).toBe(
    plain,
  )
})

test('images count by size and detail, their base64 never as text', async () => {
  const plain = await estimatePrompt(user([]), model)
  const big = `data:image/png;base64,${'QUJD'.repeat(1_000_000)}`
  const of = async (...parts: object[]) => (await estimatePrompt(user(parts), model)) - plain
  expect(await of(image(big))).toBe(6_000)
  expect(await of(image(big, 'low'))).toBe(3_000)
  expect(await of(image('data:image/png;base64,QUJD'))).toBe(2_000)
  expect(await of(image('https://example.com/a.png'))).toBe(6_000)
  expect(await of(image(big), image(big))).toBe(12_000)
  expect(await of({ type: 'image_url', image_url: big })).toBe(6_000)
})

test('recordings and files count by their bytes', async () => {
  const plain = await estimatePrompt(user([]), model)
  const data = 'QUJD'.repeat(400_000)
  expect(await estimatePrompt(user([{ type: 'input_audio', input_audio: { data, format: 'mp3' } }]), model)).toBe(
    plain + Math.ceil(1_200_000 / 16),
  )
  expect(await estimatePrompt(user([{ type: 'file', file: { file_id: 'f' } }]), model)).toBe(plain + 20_000)
})

test('text that says it is data is still text', async () => {
  const text = `data:text/plain,${'some words here '.repeat(5_000)}`
  expect(await estimatePrompt(user(text), model)).toBeGreaterThan(14_000)
  expect(await estimatePrompt(user([{ type: 'text', text }]), model)).toBeGreaterThan(14_000)
})

test('no prompt is longer than the context, and what is beyond it is not counted', async () => {
  const cpuMs = startCpuTimer()
  const messages = Array.from({ length: 200 }, () => ({ role: 'user', content: 'xq9 zv7 '.repeat(10_000) }))
  expect(await estimatePrompt({ messages }, { contextSize: 8_000 })).toBe(8_000)
  expect(cpuMs()).toBeLessThan(2_000)
  expect(await estimatePrompt(user('hello'), { contextSize: 0 })).toBe(8)
})

test('many long messages take no longer than one', async () => {
  const noise = Array.from({ length: 512 * 1024 }, (_, i) => String.fromCharCode(97 + ((i * 7919) % 26))).join('')
  const cpuMs = startCpuTimer()
  const messages = Array.from({ length: 40 }, () => ({ role: 'user', content: noise }))
  expect(await estimatePrompt({ messages }, { contextSize: 0 })).toBeGreaterThan(38 * noise.length)
  expect(cpuMs()).toBeLessThan(6_000)
})

test('what is no message breaks nothing', async () => {
  for (const messages of [undefined, null, 'x', [null, 1, 'x', [], {}]])
    expect(await estimatePrompt({ messages }, model)).toBeGreaterThan(0)
})
