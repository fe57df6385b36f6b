import Link from 'next/link'
import type { ReactNode } from 'react'
import { May } from '../shell/role'
import { formatCredits } from '../ui/amount'
import { CancelledBy } from './event-row'
import type { Conversation, JobStep, JobTurn } from './shape'

const LINK = 'text-accent underline underline-offset-2'

type Stopped = NonNullable<Conversation['job']['budget']['stoppedBy']>

/** What stopped a run, at the beginning of a sentence. */
export const STOPPED_BY: Record<Stopped, string> = {
  conversation: 'The spend limit of this conversation',
  run: 'The spend limit of this run',
  budget: 'A budget of the account',
  key_budget: 'The key’s budget',
  key_period: 'The key’s budget of this period',
  account_day: 'The account’s daily limit',
  balance: 'The balance',
}

/** What the rest of a run that was stopped would cost, as its summary says. */
export function toFinishOf(steps: readonly JobStep[]): { from: number; to: number } | null {
  const { output } = steps.findLast(({ kind }) => kind === 'wrap_up') ?? {}
  const { from, to } = ((output ?? {}) as { toFinish?: { from?: unknown; to?: unknown } }).toFinish ?? {}
  return typeof from === 'number' && typeof to === 'number' ? { from, to } : null
}

/** Why a completed run is not done, what the rest would cost, and what one can do now. */
export function StoppedRun({ by, steps, children }: { by: Stopped; steps: readonly JobStep[]; children?: ReactNode }) {
  const toFinish = toFinishOf(steps)
  return (
    <section aria-label="What now" className="grid gap-2 rounded border border-warn bg-warn-weak p-4 text-table">
      <p>
        {STOPPED_BY[by]} left too little for another step, so the result is a summary.
        {toFinish &&
          ` What was left undone would cost about ${formatCredits(toFinish.from)} to ${formatCredits(toFinish.to)} credits more.`}
      </p>
      {children}
    </section>
  )
}

type Props = { jobId: string; turn: JobTurn; steps: number; artifacts: number; credits: number; canContinue: boolean }

const counted = (count: number, one: string) => `${formatCredits(count)} ${one}${count === 1 ? '' : 's'}`

/** What was kept of a turn that did not complete, and what one can do now. */
export function WhatNow({ jobId, turn, steps, artifacts, credits, canContinue }: Props) {
  if (turn.status !== 'failed' && turn.status !== 'cancelled') return null
  const kept = [steps > 0 && counted(steps, 'step'), artifacts > 0 && counted(artifacts, 'artifact')].filter(Boolean)
  return (
    <section aria-label="What now" className="grid gap-1 rounded border bg-raised p-4 text-table">
      {turn.status === 'cancelled' && (
        <p>
          <CancelledBy turn={turn} />
        </p>
      )}
      <p>
        {kept.length > 0
          ? `Kept: ${kept.join(' and ')}, charged ${counted(credits, 'credit')}.`
          : 'Nothing had been done, and nothing was charged.'}
      </p>
      <May to="jobs.start">
        <p>
          {canContinue ? (
            <>
              Continue it{' '}
              <a href="#continue" className={LINK}>
                below
              </a>
              , with all that was found so far, or{' '}
            </>
          ) : (
            'You can '
          )}
          <Link href={`/jobs/new?again=${jobId}`} className={LINK}>
            run it again
          </Link>{' '}
          from the beginning.
        </p>
      </May>
    </section>
  )
}
