import { expect, test } from 'vitest'
import { agentNow, mergeLive, positionOf } from './live'
import type { LiveStep } from './shape'

const NOW = Date.UTC(2026, 0, 1, 0, 0, 10)
const step = (given: Partial<LiveStep> = {}): LiveStep => ({
  ...{ index: 0, runId: 'r', attemptId: 'a', kind: 'model', name: 'm', input: null, note: null },
  ...{ startedAt: '2026-01-01T00:00:00.000Z', elapsedMs: 4_000, texts: [], ...given },
})
const text = (
  part: number,
  of: string,
  kind: LiveStep['texts'][number]['kind'] = 'text',
  name: string | null = null,
) => ({
  ...{ part, kind, name, text: of },
})
const shown = (...steps: LiveStep[]) => mergeLive([], steps, NOW)

test('texts are added to those of the same attempt, and the clock of the browser counts', () => {
  const first = mergeLive([], [step({ texts: [text(0, 'a')] })], NOW)
  expect(first[0]?.since).toBe('2026-01-01T00:00:06.000Z')
  expect(positionOf(first)).toEqual({ attemptId: 'a', part: 0 })
  const second = mergeLive(first, [step({ elapsedMs: 9_000, texts: [text(1, 'b')] })], NOW)
  expect(agentNow(second)).toMatchObject({ text: 'ab', since: first[0]?.since })
  expect(mergeLive(second, [step()], NOW)[0]).toBe(second[0])
  const again = mergeLive(second, [step({ attemptId: 'b', texts: [text(0, 'A')] })], NOW)
  expect(agentNow(again).text).toBe('A')
  expect(positionOf(mergeLive(again, [], NOW))).toBeNull()
})

test.each([
  [[], 'Working'],
  [[step()], 'Thinking'],
  [[step({ texts: [text(0, 'Hm.', 'reasoning')] })], 'Thinking'],
  [[step({ texts: [text(0, 'Hm.', 'reasoning'), text(1, 'So')] })], 'Writing'],
  [[step({ texts: [text(0, 'So'), text(1, '{', 'tool_call', 'web_search')] })], 'Preparing web_search'],
  [[step({ kind: 'tool', name: 'web_search' })], 'Running web_search'],
  [[step({ kind: 'tool' }), step({ kind: 'tool', index: 1, attemptId: 'b' })], 'Running 2 tools'],
  [[step({ kind: 'wrap_up' })], 'Writing the final summary'],
  [[step({ kind: 'summary' })], 'Summarizing the history'],
])('%j: %s', (steps, state) => {
  expect(agentNow(shown(...steps)).state).toBe(state)
})

test('a running tool shows what it does, or what it was given', () => {
  const tools = [
    step({ kind: 'tool', name: 'a', note: 'Running x', input: { q: 1 } }),
    step({ kind: 'tool', name: 'b', index: 1, attemptId: 'b', input: { q: 1 } }),
  ]
  expect(agentNow(shown(...tools)).tools.map(({ line }) => line)).toEqual(['Running x', '{"q":1}'])
})
