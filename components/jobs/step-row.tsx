import { useEffect, useRef, useState } from 'react'
import { Credits } from '../ui/amount'
import { cn } from '../ui/cn'
import { formatDuration } from '../ui/format-time'
import { STEP_LABELS } from './labels'
import type { JobStep } from './shape'
import { StepDetails } from './step-details'
import { stepDurationMs, stepLine } from './step-line'
import { stepAnchor } from './step-link'

/**
 * One step: a line with its label, charge and duration, which expands to all details. The step that
 * the URL names is open and marked.
 */
export function StepRow({ step, isTarget, again }: { step: JobStep; isTarget: boolean; again?: string }) {
  const [isOpen, setOpen] = useState(isTarget)
  const row = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (!isTarget) return
    setOpen(true)
    // It may be a step of an earlier turn, which is folded.
    const folded = row.current?.closest('details')
    if (folded) folded.open = true
    row.current?.scrollIntoView({ block: 'center' })
  }, [isTarget])
  const { icon: Icon, word } = STEP_LABELS[step.kind]
  return (
    <li
      ref={row}
      id={stepAnchor(step.index)}
      className={cn(
        'border-b last:border-b-0',
        step.kind === 'tool' && 'pl-4',
        isTarget && 'bg-accent-weak shadow-[inset_2px_0_0_var(--color-accent)]',
      )}
    >
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
      {isOpen && <StepDetails step={step} again={again} />}
    </li>
  )
}
