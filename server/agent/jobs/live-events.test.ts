import { expect, test } from 'vitest'
import { liveEventsOf } from './live-events'
import type { LiveStepView } from './live-view'

const startedAt = '2026-01-01T00:00:00.000Z'
const step = (given: Partial<LiveStepView>): LiveStepView => ({
  ...{ index: 3, runId: 'r', attemptId: 'a', kind: 'model', name: 'm', input: null, note: null, startedAt },
  ...{ elapsedMs: 100, texts: [], ...given },
})
const text = (part: number, of: string) => ({ part, kind: 'text' as const, name: null, text: of })
const unknown = () => ({ attempts: new Map<number, string>(), position: null, progress: new Map<number, number>() })
const head = { index: 3, runId: 'r', name: 'm', startedAt }

test('a step is started once, and its texts of one kind come as one delta', () => {
  const known = unknown()
  const texts = [text(0, 'a'), text(1, 'b'), { part: 2, kind: 'tool_call' as const, name: 'web_search', text: '{' }]
  expect(liveEventsOf(step({ texts }), known)).toEqual([
    { name: 'step.started', data: { ...head, kind: 'model' } },
    { name: 'step.delta', data: { index: 3, kind: 'text', text: 'ab' } },
    { name: 'step.delta', data: { index: 3, kind: 'tool_call', name: 'web_search', text: '{' } },
  ])
  expect(known.position).toEqual({ attemptId: 'a', part: 2 })
  expect(liveEventsOf(step({}), known)).toEqual([])
})

test('a step that began again is started again', () => {
  const known = unknown()
  liveEventsOf(step({ texts: [text(0, 'a')] }), known)
  const again = liveEventsOf(step({ attemptId: 'b', texts: [text(0, 'A')] }), known)
  expect(again.map(({ name }) => name)).toEqual(['step.started', 'step.delta'])
  expect(known.position).toEqual({ attemptId: 'b', part: 0 })
})

test('a running tool is reported about once a second, with its input and note', () => {
  const known = unknown()
  const tool = (elapsedMs: number) => step({ kind: 'tool', input: { a: 1 }, note: 'Running x', elapsedMs })
  const names = (elapsedMs: number) => liveEventsOf(tool(elapsedMs), known).map(({ name }) => name)
  expect(liveEventsOf(tool(10), known)).toEqual([
    { name: 'step.started', data: { ...head, kind: 'tool', input: { a: 1 }, note: 'Running x' } },
  ])
  expect([names(900), names(1_100), names(1_900), names(2_200)]).toEqual([[], ['tool.progress'], [], ['tool.progress']])
})
