import { useState } from 'react'
import { Credits } from '../ui/amount'
import { cn } from '../ui/cn'
import { formatDuration } from '../ui/format-time'
import { STEP_LABELS } from './labels'
import type { JobStep } from './shape'
import { StepDetails } from './step-details'
import { stepDurationMs, stepLine } from './step-line'

/** One step: a line with its label, charge and duration, which expands to all details. */
export function StepRow({ step }: { step: JobStep }) {
  const [isOpen, setOpen] = useState(false)
  const { icon: Icon, word } = STEP_LABELS[step.kind]
  return (
    <li className={cn('border-b last:border-b-0', step.kind === 'tool' && 'pl-4')}>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="grid w-full grid-cols-[1rem_minmax(0,1fr)_auto] items-center gap-2.5 px-3 py-1.5 text-left text-table hover:bg-sunken"
      >
        <Icon className={cn('size-4', step.error ? 'text-bad' : 'text-muted')} aria-hidden />
        <span className="flex min-w-0 items-baseline gap-2">
          <span className={cn('shrink-0 font-medium', step.kind === 'tool' && 'num')}>{word || step.name}</span>
          <span className={cn('min-w-0 truncate', step.error ? 'text-bad' : 'text-muted')}>
            {step.error && 'failed: '}
            {stepLine(step)}
          </span>
        </span>
        <span className="flex items-baseline gap-3 whitespace-nowrap">
          <span className="num text-caption text-muted max-sm:hidden">{formatDuration(stepDurationMs(step))}</span>
          <Credits
            value={step.creditsCharged}
            className={cn('min-w-8 text-right', step.creditsCharged === 0 && 'text-muted')}
          />
        </span>
      </button>
      {isOpen && <StepDetails step={step} />}
    </li>
  )
}
