import Link from 'next/link'
import { lazy, type ReactNode, Suspense } from 'react'
import { JsonView } from '../catalog/json-view'
import { May } from '../shell/role'
import { ButtonLink } from '../ui/button'
import { formatDuration } from '../ui/format-time'
import { Skeleton } from '../ui/skeleton'
import { AgentText } from './agent-text'
import type { JobStep } from './shape'
import { commandOf, modelOutputOf, type ShellOutput, shellOutputOf, stepDurationMs } from './step-line'
import { terminalText } from './terminal-text'

const ResultView = lazy(() => import('../catalog/result-view').then(({ ResultView: of }) => ({ default: of })))

/** A value as a table, text or values by name. How to draw it is loaded when there is one. */
const Value = ({ of }: { of: unknown }) => (
  <Suspense fallback={<Skeleton className="w-1/2" />}>
    <ResultView output={of} />
  </Suspense>
)

const Part = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="min-w-0">
    <p className="mb-1 text-caption text-muted">{name}</p>
    {children}
  </div>
)

/** What a step was given: a shell's command as it was typed. */
function StepInput({ step }: { step: JobStep }) {
  if (step.kind === 'model') return null
  const command = commandOf(step)
  return (
    <Part name={command === null ? 'Input' : 'Command'}>
      {command === null ? <Value of={step.input} /> : <JsonView text={command} />}
    </Part>
  )
}

const ShellResult = ({ exitCode, stdout, stderr }: ShellOutput) => (
  <>
    {(stdout || !stderr) && (
      <Part name={`Output, exit code ${exitCode}`}>
        <JsonView text={terminalText(stdout) || 'No output.'} />
      </Part>
    )}
    {stderr && (
      <Part name={stdout ? 'Error output' : `Error output, exit code ${exitCode}`}>
        <JsonView text={terminalText(stderr)} />
      </Part>
    )}
  </>
)

/**
 * What a step returned: a shell's output as text, a model's as Markdown, a tool's as a table, text
 * or values by name.
 */
function StepOutput({ step }: { step: JobStep }) {
  if (step.error) {
    return (
      <Part name={`Error: ${step.error.code}`}>
        <JsonView text={step.error.message} />
      </Part>
    )
  }
  const shell = shellOutputOf(step.output)
  if (shell) return <ShellResult {...shell} />
  const model = step.kind === 'tool' ? null : modelOutputOf(step.output)
  if (!model) {
    return (
      <Part name="Result">
        <Value of={step.output} />
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
export const StepDetails = ({ step, again }: { step: JobStep; again?: string }) => (
  <div className="grid grid-cols-[minmax(0,1fr)] gap-3 px-3 pt-1 pb-3 sm:pl-9">
    <StepInput step={step} />
    <StepOutput step={step} />
    <p className="text-caption text-muted [overflow-wrap:anywhere]">
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
    {again && (
      <May to="jobs.rerun">
        <div>
          <ButtonLink size="small" href={`/jobs/new?again=${again}&from=${step.index}`}>
            Run again from here
          </ButtonLink>
        </div>
      </May>
    )}
  </div>
)
