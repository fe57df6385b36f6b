'use client'

import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTRPC } from '../trpc'
import { ActionError } from '../ui/action-error'
import { Credits, formatCredits, Usd } from '../ui/amount'
import { Button } from '../ui/button'
import { CopyButton } from '../ui/copy'
import { Meter } from '../ui/meter'
import { Card, Notice, Section } from '../ui/page'
import { Skeleton } from '../ui/skeleton'
import { formatDuration, TimeAgo } from '../ui/time-ago'
import { AgentText } from './agent-text'
import { JobBadge } from './labels'
import { PendingInput } from './pending-input'
import { RunForm } from './run-form'
import type { Conversation, JobStep, RunKey, JobTurn as TurnShape } from './shape'
import { StepRow } from './step-row'
import { useJob } from './use-job'

type Props = {
  first: Conversation
  firstSteps: JobStep[]
  keys: RunKey[]
  models: { id: string; name: string }[]
  rate: number
}

/** Seconds since a start, counting. */
function Elapsed({ since }: { since: string }) {
  const [now, setNow] = useState<number | null>(null)
  useEffect(() => {
    const tick = () => setNow(Date.now())
    tick()
    const timer = setInterval(tick, 1_000)
    return () => clearInterval(timer)
  }, [])
  return (
    <span className="num text-caption text-muted">
      {now === null ? '' : formatDuration(Math.max(0, Math.floor((now - new Date(since).getTime()) / 1_000)) * 1_000)}
    </span>
  )
}

/** Cancels a live run, after a confirmation in place. */
function Cancel({ jobId, onDone }: { jobId: string; onDone: () => void }) {
  const [isAsked, setAsked] = useState(false)
  const cancel = useMutation(useTRPC().jobs.cancel.mutationOptions({ onSettled: onDone }))
  return (
    <div className="grid gap-2">
      {isAsked ? (
        <div className="flex flex-wrap items-center gap-2">
          <span className="text-table">Cancel this run? A call in progress is still charged.</span>
          <Button size="small" kind="destroy" busy={cancel.isPending} onClick={() => cancel.mutate({ jobId })}>
            Cancel run
          </Button>
          <Button size="small" onClick={() => setAsked(false)}>
            Keep running
          </Button>
        </div>
      ) : (
        <div>
          <Button size="small" kind="danger" onClick={() => setAsked(true)}>
            Cancel
          </Button>
        </div>
      )}
      <ActionError
        error={cancel.error}
        kept=""
        unsure="The page shows the job's status as soon as the service responds."
      />
    </div>
  )
}

function Turn({ turn, steps, isLatest }: { turn: TurnShape; steps: JobStep[]; isLatest: boolean }) {
  const isRunning = isLatest && turn.status === 'running'
  const charged = steps.reduce((sum, { creditsCharged }) => sum + creditsCharged, 0)
  return (
    <article aria-label={`Turn ${turn.number}`} className="mb-8">
      <div className="mb-2 flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 className="font-semibold">Turn {turn.number}</h2>
        <p className="text-caption text-muted">
          <span className="num">{turn.model}</span>, {turn.mode}, {turn.agent} agent, key {turn.keyName ?? 'deleted'},{' '}
          <TimeAgo at={turn.createdAt} />
        </p>
      </div>
      <p className="mb-3 max-h-48 overflow-y-auto rounded border bg-sunken px-3 py-2 [overflow-wrap:anywhere] whitespace-pre-wrap">
        {turn.goal}
      </p>
      <ol aria-label={`Steps of turn ${turn.number}`} className="rounded border bg-raised">
        {steps.map((step) => (
          <StepRow key={step.index} step={step} />
        ))}
        {isRunning && (
          <li
            className="grid grid-cols-[1rem_minmax(0,1fr)_auto] items-center gap-2.5 px-3 py-2"
            aria-label="In progress"
          >
            <Skeleton className="size-4 rounded-full" />
            <Skeleton className="w-40 max-w-full" />
            <Elapsed since={steps.at(-1)?.endedAt ?? turn.createdAt} />
          </li>
        )}
        {!isRunning && steps.length === 0 && <li className="px-3 py-2 text-table text-muted">No steps yet.</li>}
      </ol>
      {steps.length > 0 && (
        <p className="mt-1 text-right text-caption text-muted">
          {steps.length} {steps.length === 1 ? 'step' : 'steps'}, <Credits value={charged} />{' '}
          {charged === 1 ? 'credit' : 'credits'}
        </p>
      )}
      {turn.result !== null && (
        <section aria-label={`Result of turn ${turn.number}`} className="mt-3 rounded border bg-raised p-4">
          <div className="mb-2 flex items-center justify-between gap-3">
            <h3 className="text-table font-medium text-muted">
              {turn.status === 'failed' ? 'Why it failed' : 'Result'}
            </h3>
            <CopyButton text={turn.result} />
          </div>
          <AgentText text={turn.result} />
        </section>
      )}
    </article>
  )
}

/** A conversation, updated live: what it asks, what it has spent, and the steps of every turn. */
export function JobPage({ first, firstSteps, keys, models, rate }: Props) {
  const { job, turns, steps, refresh, isLost } = useJob(first, firstSteps)
  const isLive = job.status === 'running' || job.status === 'awaiting_input'
  const latest = turns.at(-1)
  const [late, setLate] = useState<string | null>(null)
  const { capCredits, reached } = job.budget
  return (
    <div className="grid items-start gap-x-8 gap-y-6 lg:grid-cols-[minmax(0,1fr)_300px]">
      <div className="min-w-0">
        {isLost && <Notice tone="bad">The service cannot be reached. This page may be out of date.</Notice>}
        {late && (
          <div className="mb-4">
            <Notice tone="warn">Your answer was too late. {late}</Notice>
          </div>
        )}
        {job.awaitingInput && (
          <PendingInput
            key={job.awaitingInput.toolCallId}
            jobId={job.jobId}
            asked={job.awaitingInput}
            onAnswered={refresh}
            onLate={setLate}
          />
        )}
        {turns.map((turn) => (
          <Turn
            key={turn.runId}
            turn={turn}
            steps={steps.filter(({ runId }) => runId === turn.runId)}
            isLatest={turn === latest}
          />
        ))}
        {!isLive && (
          <Section title="Continue this conversation">
            {reached ? (
              <Notice tone="warn">A limit ended this conversation. Start a new one to continue.</Notice>
            ) : (
              <RunForm
                keys={keys}
                models={models}
                conversationId={job.jobId}
                keyId={latest?.keyId}
                mode={job.mode}
                onStarted={refresh}
              />
            )}
          </Section>
        )}
      </div>
      <aside className="grid gap-4 max-lg:row-start-1 lg:sticky lg:top-[calc(var(--bar)+1rem)]">
        <Card className="grid gap-3">
          <div aria-live="polite">
            <JobBadge status={job.status} />
          </div>
          <div>
            <p>
              <Credits value={job.creditsSpent} unit className="font-semibold" /> of {formatCredits(capCredits)}
            </p>
            <Usd credits={job.creditsSpent} rate={rate} className="text-caption" />
          </div>
          <Meter
            whole={capCredits}
            parts={[{ value: job.creditsSpent, className: reached ? 'bg-warn' : 'bg-accent' }]}
            label={`${formatCredits(job.creditsSpent)} of ${formatCredits(capCredits)} credits spent`}
          />
          {reached && <p className="text-caption text-warn">A limit was reached: the run ended with a summary.</p>}
          <dl className="grid gap-2 text-table">
            {[
              [
                'Model',
                <span key="m" className="num [overflow-wrap:anywhere]">
                  {job.model}
                </span>,
              ],
              ['Mode', job.mode],
              ['Capabilities', job.capabilities?.join(', ') ?? 'All enabled'],
            ].map(([name, value]) => (
              <div key={String(name)} className="flex justify-between gap-4">
                <dt className="text-muted">{name}</dt>
                <dd className="min-w-0 text-right">{value}</dd>
              </div>
            ))}
          </dl>
          <div>
            <CopyButton text={job.jobId} label="Copy job id" />
          </div>
          {isLive && <Cancel jobId={job.jobId} onDone={refresh} />}
        </Card>
      </aside>
    </div>
  )
}
