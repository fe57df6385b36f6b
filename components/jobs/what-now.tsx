import Link from 'next/link'
import { formatCredits } from '../ui/amount'
import { CancelledBy } from './event-row'
import type { JobTurn } from './shape'

const LINK = 'text-accent underline underline-offset-2'

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
    </section>
  )
}
