import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { EventRow } from './event-row'
import type { JobAnswer, JobTurn } from './shape'

const at = '2026-01-01T00:00:00.000Z'
const turn = {
  ...{ keyId: 7, keyName: 'now', startedBy: 'ana@example.com', origin: 'dashboard', createdAt: at, endedAt: at },
  cancelled: null,
} as JobTurn
const answer: JobAnswer = {
  ...{ index: 1, approved: false, feedback: 'Too dear.', keyId: null, answeredBy: 'ana@example.com', answeredAt: at },
}
const textOf = (entry: Parameters<typeof EventRow>[0]['entry']) =>
  renderToStaticMarkup(<EventRow entry={entry} />)
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll(/\s+/g, ' ')

describe('what somebody did to a run', () => {
  it.each([
    [answer, 'approval', 'Rejected by ana@example.com at the dashboard', 'Too dear.'],
    [{ ...answer, approved: true }, 'approval', 'Approved by ana@example.com', ''],
    [{ ...answer, keyId: 3, answeredBy: 'ci' }, 'plan', 'Plan sent back by key ci over the API', 'Too dear.'],
    [{ ...answer, feedback: 'Blue.' }, 'question', 'Answered by ana@example.com', 'Blue.'],
  ] as const)('names who answered', (given, asked, begins, ends) => {
    const text = textOf({ kind: 'answer', answer: given, asked })
    expect(text.startsWith(begins), text).toBe(true)
    expect(text.endsWith(ends), text).toBe(true)
    if (ends === '') expect(text).not.toContain('Too dear.')
  })

  it('names who started a run, and how', () => {
    expect(textOf({ kind: 'started', turn })).toMatch(/^Started by ana@example.com at the dashboard, under key now, /)
    const byKey = { ...turn, origin: 'api', startedBy: 'then' } as const
    expect(textOf({ kind: 'started', turn: byKey })).toMatch(/^Started with key then over the API, /)
    expect(textOf({ kind: 'started', turn: { ...turn, origin: 'schedule' } })).toMatch(/^Started by a schedule, under/)
    expect(textOf({ kind: 'started', turn: { ...turn, origin: null } })).toMatch(/^Started under key now, /)
  })

  it('names who cancelled a run, where it is known', () => {
    const cancelled = { by: 'ci', keyId: 3 }
    expect(textOf({ kind: 'cancelled', turn: { ...turn, cancelled } })).toMatch(/^Cancelled by key ci over the API, /)
    expect(textOf({ kind: 'cancelled', turn })).toMatch(/^Cancelled \S/)
    const byOperator = { by: 'the operator', keyId: null }
    expect(textOf({ kind: 'cancelled', turn: { ...turn, cancelled: byOperator } })).toMatch(
      /^Cancelled by the operator, /,
    )
  })
})
