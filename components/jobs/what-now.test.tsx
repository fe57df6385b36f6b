import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import type { JobTurn } from './shape'
import { WhatNow } from './what-now'

const textOf = (status: JobTurn['status'], given: { steps: number; artifacts: number; canContinue?: boolean }) =>
  renderToStaticMarkup(
    <WhatNow
      jobId="j"
      turn={{ status, cancelled: { by: 'ana@example.com', keyId: null }, endedAt: null } as JobTurn}
      credits={given.steps * 2}
      canContinue={given.canContinue ?? true}
      {...given}
    />,
  ).replaceAll(/<[^>]+>/g, '')

it('says what was kept of a failed run, and what to do', () => {
  expect(textOf('failed', { steps: 3, artifacts: 1 })).toBe(
    'Kept: 3 steps and 1 artifact, charged 6 credits.Continue it below, with all that was found so far, or run it again from the beginning.',
  )
  expect(textOf('failed', { steps: 0, artifacts: 0, canContinue: false })).toBe(
    'Nothing had been done, and nothing was charged.You can run it again from the beginning.',
  )
})

it('says who cancelled a run', () => {
  expect(textOf('cancelled', { steps: 1, artifacts: 0 })).toMatch(
    /^Cancelled by ana@example\.com at the dashboardKept: 1 step, charged 2 credits\./,
  )
})

it('says nothing of others', () => {
  expect(textOf('completed', { steps: 1, artifacts: 0 })).toBe('')
})
