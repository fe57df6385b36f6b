import Link from 'next/link'
import type { ReactNode } from 'react'
import { JsonView } from '../catalog/json-view'
import { formatDuration } from '../ui/format-time'
import { TimeAgo } from '../ui/time-ago'
import { AgentText } from './agent-text'
import { answeredBy } from './approval-row'
import type { JobAnswer, JobStep } from './shape'
import { modelOutputOf, shellOutputOf, stepDurationMs } from './step-line'

const pretty = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value, null, 2))

const Part = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="min-w-0">
    <p className="mb-1 text-caption text-muted">{name}</p>
    {children}
  </div>
)

/** What a step returned: a shell's output as text, a model's text as Markdown, else JSON. */
function StepOutput({ step }: { step: JobStep }) {
  if (step.error) {
    return (
      <Part name="Error">
        <JsonView text={pretty(step.error)} />
      </Part>
    )
  }
  const shell = shellOutputOf(step.output)
  if (shell) {
    return (
      <Part name={`Output, exit code ${shell.exitCode}`}>
        <JsonView text={[shell.stdout, shell.stderr].filter(Boolean).join('\n') || 'No output.'} />
      </Part>
    )
  }
  const model = step.kind === 'tool' ? null : modelOutputOf(step.output)
  if (!model) {
    return (
      <Part name="Result">
        <JsonView text={pretty(step.output)} />
      </Part>
    )
  }
  return (
    <>
      {model.text && (
        <Part name="Text">
          <AgentText text={model.text} />
        </Part>
      )}
      {model.calls.length > 0 && (
        <Part name="Calls">
          <JsonView text={model.calls.map(({ name, arguments: given }) => `${name} ${given}`).join('\n')} />
        </Part>
      )}
      {model.tokens && <p className="text-caption text-muted">{model.tokens}</p>}
    </>
  )
}

/** Everything about a step: what it was given, what came back, its receipt. */
export const StepDetails = ({ step, answer }: { step: JobStep; answer?: JobAnswer }) => (
  <div className="grid grid-cols-[minmax(0,1fr)] gap-3 px-3 pt-1 pb-3 sm:pl-9">
    {step.kind !== 'model' && (
      <Part name="Input">
        <JsonView text={pretty(step.input)} />
      </Part>
    )}
    <StepOutput step={step} />
    <p className="text-caption text-muted [overflow-wrap:anywhere]">
      Step {step.index}, {step.name}, took {formatDuration(stepDurationMs(step))}
      {answer && (
        <>
          , answered by {answeredBy(answer)} <TimeAgo at={answer.answeredAt} />
        </>
      )}
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
)
