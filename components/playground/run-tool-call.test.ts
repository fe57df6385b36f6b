import { expect, test, vi } from 'vitest'
import { runToolCall, type ToolCallRunner } from './run-tool-call'
import type { ChatToolCall } from './turn'

const call = (input = '{"query":"x"}'): ChatToolCall => ({
  id: 'c1',
  name: 'web_search',
  input,
  state: 'priced',
  most: null,
  result: null,
  charged: null,
  requestId: null,
})

type Given = { most?: number | null; mustConfirm?: boolean; unasked?: number; isYes?: boolean; run?: () => unknown }

/** Runs a call against a server that answers so, and returns what became of it. */
async function outcome(given: Given, one = call()) {
  const { most = 1, mustConfirm = false, unasked = 50, isYes = true } = given
  let now = one
  const states: string[] = []
  const run = vi.fn(async () => (given.run ? given.run() : { charged: 1, requestId: 'r1', result: { rows: [] } }))
  const ask = vi.fn(async () => isYes)
  const client = {
    usage: { list: { query: async () => ({ rows: [] }) } },
    tools: { estimate: { mutate: async () => ({ most, mustConfirm }) }, run: { mutate: run } },
  } as unknown as ToolCallRunner['client']
  const change: ToolCallRunner['change'] = (_id, changed) => {
    now = { ...now, ...changed }
    states.push(now.state)
  }
  const abort = new AbortController()
  await runToolCall(one, { client, unasked: () => unasked, ask, change, signal: abort.signal })
  return { now, states, run, ask }
}

test('a call within what may be spent unasked runs, with its price before and its charge after', async () => {
  const { now, states, ask } = await outcome({})
  expect([states, now.most, now.charged, now.requestId]).toEqual([['running', 'done'], 1, 1, 'r1'])
  expect(JSON.parse(now.result ?? '')).toEqual({ rows: [] })
  expect(ask).not.toHaveBeenCalled()
})

test.each([
  ['beyond what may be spent unasked', { most: 60 }],
  ['above what the owner is asked for', { most: 20, mustConfirm: true }],
  ['whose price only the provider knows', { most: null }],
])('a call %s asks first', async (_name, given) => {
  const { states, ask } = await outcome(given)
  expect(ask).toHaveBeenCalledWith('c1')
  expect(states).toEqual(['asked', 'running', 'done'])
})

test('a declined call does not run, costs nothing, and the model gets that as its result', async () => {
  const { now, run } = await outcome({ most: 60, isYes: false })
  expect(run).not.toHaveBeenCalled()
  expect(now).toMatchObject({ state: 'declined', charged: 0 })
  expect(now.result).toContain('declined')
})

test('a failed call has its charge, and the model gets the reason', async () => {
  const error = Object.assign(new Error('web_search failed.'), {
    data: { charge: { credits: 3 }, requestId: 'r2', httpStatus: 502 },
  })
  const { now } = await outcome({ run: () => Promise.reject(error) })
  expect(now).toMatchObject({ state: 'failed', charged: 3, requestId: 'r2' })
  expect(now.result).toContain('web_search failed.')
})

test('a refused call was not charged, and of a lost one nobody knows', async () => {
  const refused = Object.assign(new Error('Not enough credits.'), { data: { httpStatus: 402 } })
  expect((await outcome({ run: () => Promise.reject(refused) })).now).toMatchObject({ state: 'failed', charged: 0 })
  expect((await outcome({ run: () => Promise.reject(new Error('lost')) })).now.charged).toBeNull()
})

test('a stopped call has the charge of its receipt', async () => {
  const abort = new AbortController()
  const stop = async () => {
    abort.abort()
    throw new Error('aborted')
  }
  const pages = [[], [{ channel: 'playground', requestId: 'r9', credits: { charged: 3 } }]]
  const client = {
    usage: { list: { query: async () => ({ rows: pages.shift() }) } },
    tools: { estimate: { mutate: async () => ({ most: 3, mustConfirm: false }) }, run: { mutate: stop } },
  } as unknown as ToolCallRunner['client']
  let now = call()
  const change: ToolCallRunner['change'] = (_id, changed) => {
    now = { ...now, ...changed }
  }
  const to = { client, unasked: () => 50, ask: async () => true, change, signal: abort.signal }
  await expect(runToolCall(call(), to)).rejects.toThrow()
  expect(now).toMatchObject({ state: 'stopped', charged: 3, requestId: 'r9' })
})

test('arguments that are not JSON are refused without a request', async () => {
  const { now, run } = await outcome({}, call('{"query":'))
  expect([now.state, now.charged]).toEqual(['failed', 0])
  expect(run).not.toHaveBeenCalled()
})

test('a long result is shortened for the model', async () => {
  const { now } = await outcome({ run: () => ({ charged: 1, requestId: 'r', result: { text: 'x'.repeat(100_000) } }) })
  expect(now.result?.length).toBeLessThan(24_100)
  expect(now.result).toMatch(/more characters are left out/)
})
