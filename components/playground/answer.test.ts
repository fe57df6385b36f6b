import { expect, test } from 'vitest'
import { isRefusedAnswer, lastRound, restoredAnswer, withCall, withPart } from './answer'
import type { ChatStreamPart } from './stream'
import { answerCharge, answerText, type ChatAnswer, newChatAnswer, newChatRound } from './turn'

const after = (parts: readonly ChatStreamPart[]): ChatAnswer => parts.reduce(withPart, newChatAnswer('a/b'))

test('parts add up to an answer with its tokens and charge', () => {
  const answer = after([
    { kind: 'started', requestId: 'r1' },
    { kind: 'reasoning', text: 'Hm.' },
    { kind: 'text', text: 'Hel' },
    { kind: 'text', text: 'lo' },
    { kind: 'finish', reason: 'stop' },
    { kind: 'cost', charged: 2, inputTokens: 10, outputTokens: 3 },
  ])
  expect(answer).toMatchObject({ state: 'streaming', rounds: [{ text: 'Hello', reasoning: 'Hm.', requestId: 'r1' }] })
  expect([answerText(answer), answerCharge(answer)]).toEqual(['Hello', 2])
})

test('a call of a tool comes in pieces, several at once', () => {
  const answer = after([
    { kind: 'call', index: 0, id: 'c1', name: 'web_search', input: '' },
    { kind: 'call', index: 0, id: '', name: '', input: '{"query":' },
    { kind: 'call', index: 0, id: '', name: '', input: '"x"}' },
    { kind: 'call', index: 1, id: 'c2', name: 'web_read_url', input: '{}' },
  ])
  expect(lastRound(answer).calls).toMatchObject([
    { id: 'c1', name: 'web_search', input: '{"query":"x"}', state: 'priced' },
    { id: 'c2', name: 'web_read_url', input: '{}' },
  ])
  const run = withCall(answer, 'c2', { state: 'done', charged: 2 })
  expect(lastRound(run).calls.map(({ state }) => state)).toEqual(['priced', 'done'])
  expect(answerCharge(run)).toBe(2)
})

test('a failure keeps what arrived and its charge; one that cost nothing is replaced by the next message', () => {
  const half = after([
    { kind: 'text', text: 'one' },
    { kind: 'failed', message: 'Gone.', charged: 1 },
  ])
  expect(half).toMatchObject({ state: 'failed', error: 'Gone.' })
  expect([answerCharge(half), isRefusedAnswer(half)]).toEqual([1, false])
  expect(isRefusedAnswer(after([{ kind: 'refused', message: 'No.' }]))).toBe(true)
  expect(isRefusedAnswer(after([{ kind: 'disconnected' }]))).toBe(false)
})

test('what was on its way when the page closed has stopped', () => {
  const streaming = after([{ kind: 'text', text: 'one' }])
  expect(restoredAnswer(streaming)).toMatchObject({ state: 'stopped', ms: 0 })
  const done = { ...newChatAnswer('a/b'), state: 'done' as const, rounds: [newChatRound()] }
  expect(restoredAnswer(done)).toBe(done)
})
