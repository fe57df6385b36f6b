import Link from 'next/link'
import { type ReactNode, useState } from 'react'
import { JsonView } from '../catalog/json-view'
import { Credits } from '../ui/amount'
import { cn } from '../ui/cn'
import { formatDuration } from '../ui/time-ago'
import { STEP_LABELS } from './labels'
import type { JobStep } from './shape'
import { stepDurationMs, stepLine } from './step-line'

const pretty = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value, null, 2))

const Part = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="min-w-0">
    <p className="mb-1 text-caption text-muted">{name}</p>
    {children}
  </div>
)

/** One step: a line with its label, charge and duration, which expands to all details. */
export function StepRow({ step }: { step: JobStep }) {
  const [isOpen, setOpen] = useState(false)
  const { icon: Icon, word } = STEP_LABELS[step.kind]
  const isModelStep = step.kind === 'model'
  return (
    <li className={cn('border-b last:border-b-0', !isModelStep && step.kind === 'tool' && 'pl-4')}>
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
      {isOpen && (
        <div className="grid gap-3 px-3 pt-1 pb-3 pl-9">
          <Part name={step.kind === 'model' ? 'Input' : 'Input'}>
            <JsonView text={pretty(step.input)} />
          </Part>
          <Part name={step.error ? 'Error' : 'Result'}>
            <JsonView text={pretty(step.error ?? step.output)} />
          </Part>
          <p className="text-caption text-muted">
            Step {step.index}, {step.name}, took {formatDuration(stepDurationMs(step))}
            {step.requestId ? (
              <>
                {'. '}
                <Link href={`/usage?receipt=${step.requestId}`} className="text-accent underline underline-offset-2">
                  Receipt
                </Link>
              </>
            ) : (
              ', free.'
            )}
          </p>
        </div>
      )}
    </li>
  )
}
