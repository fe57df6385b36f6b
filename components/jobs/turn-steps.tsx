'use client'

import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { Credits, formatCredits } from '../ui/amount'
import { cn } from '../ui/cn'
import { formatDuration } from '../ui/format-time'
import { EventRow } from './event-row'
import type { JobAnswer, JobStep, JobTurn } from './shape'
import { stepAnchor, useLinkedStep } from './step-link'
import { StepRow } from './step-row'
import { sumOfSteps, timelineOf } from './timeline'

type Props = {
  turn: JobTurn
  steps: JobStep[]
  answers: JobAnswer[]
  /**
   * A run in progress shows its steps; one that has ended only their sum, until it is opened or a
   * link leads to one of them.
   */
  isLive: boolean
  /** The job, where it can run again from any of these. */
  again?: string
}

/** The steps of a turn under one line with their sum. */
export function TurnSteps({ turn, steps, answers, isLive, again }: Props) {
  const [chosen, setChosen] = useState<boolean | null>(null)
  const linked = useLinkedStep()
  const hasLinked = steps.some(({ index }) => stepAnchor(index) === linked)
  const isOpen = chosen ?? (isLive || hasLinked)
  const { count, credits, durationMs, tokens } = sumOfSteps(steps)
  return (
    <div className="rounded border bg-raised">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setChosen(!isOpen)}
        className="flex w-full items-center gap-2.5 rounded px-3 py-2 text-left text-table hover:bg-sunken"
      >
        <ChevronRight className={cn('size-4 shrink-0 text-muted', isOpen && 'rotate-90')} aria-hidden />
        <span className="font-medium">
          {count} {count === 1 ? 'step' : 'steps'}
        </span>
        {count > 0 && (
          <span className="ml-auto flex items-baseline gap-3">
            <span className="num text-caption text-muted">{formatDuration(durationMs)}</span>
            {tokens > 0 && (
              <span className="text-caption text-muted max-sm:hidden">{formatCredits(tokens)} tokens</span>
            )}
            <span>
              <Credits value={credits} /> {credits === 1 ? 'credit' : 'credits'}
            </span>
          </span>
        )}
      </button>
      {isOpen && (
        <ol aria-label={`Steps of turn ${turn.number}`} className="border-t">
          {timelineOf(turn, steps, answers).map((entry) =>
            entry.kind === 'step' ? (
              <StepRow
                key={entry.step.index}
                step={entry.step}
                isTarget={stepAnchor(entry.step.index) === linked}
                again={again}
              />
            ) : (
              <EventRow key={entry.kind === 'answer' ? `answer ${entry.answer.index}` : entry.kind} entry={entry} />
            ),
          )}
        </ol>
      )}
    </div>
  )
}
