'use client'

import { lazy, Suspense, useState } from 'react'
import { useConnection } from '../shell/connection'
import { May } from '../shell/role'
import { Credits, formatCredits, Usd } from '../ui/amount'
import { ButtonLink } from '../ui/button'
import { Notice, Section, Title } from '../ui/page'
import { Skeleton } from '../ui/skeleton'
import { WhenSeen } from '../ui/when-seen'
import { AgentNow } from './agent-now'
import { Artifacts } from './artifacts'
import { CancelRun } from './cancel-run'
import { comparePath } from './compare-path'
import { JobFacts } from './job-facts'
import { JobBadge } from './labels'
import type { Conversation, JobStep, LiveStep, RunKey } from './shape'
import { savedCreditsOf } from './step-line'
import { answersOfTurn, sumOfSteps } from './timeline'
import { EarlierTurn, LatestTurn } from './turn'
import { useJob } from './use-job'
import { useLive } from './use-live'
import { StoppedRun, toFinishOf, WhatNow } from './what-now'

// What is at the end of the page is loaded when somebody comes near it.
const Deliveries = lazy(() => import('./deliveries').then(({ Deliveries: of }) => ({ default: of })))
const RunForm = lazy(() => import('./run-form').then(({ RunForm: of }) => ({ default: of })))
// Only runs that ask, and those that a limit stopped, have them.
const PendingInput = lazy(() => import('./pending-input').then(({ PendingInput: of }) => ({ default: of })))
const RaiseLimit = lazy(() => import('./raise-limit').then(({ RaiseLimit: of }) => ({ default: of })))
const ShareRun = lazy(() => import('./share-run').then(({ ShareRun: of }) => ({ default: of })))

/** The height of the form before it is drawn. */
const FORM_PX = 660

type Props = {
  first: Conversation
  firstSteps: JobStep[]
  firstLive: LiveStep[]
  /** The key to continue with; null: no key may start runs. */
  runKey: RunKey | null
  models: { id: string; name: string }[]
  rate: number
}

/** A conversation, updated live: its latest turn, how to continue it, and the turns before. */
export function JobPage({ first, firstSteps, firstLive, runKey, models, rate }: Props) {
  const { job, title, turns, steps, answers, refresh, isLost } = useJob(first, firstSteps)
  const live = useLive({ jobId: job.jobId, isRunning: job.status === 'running', first: firstLive }, refresh)
  const connection = useConnection()
  const [late, setLate] = useState<string | null>(null)
  const isLive = job.status === 'running' || job.status === 'awaiting_input'
  const latest = turns.at(-1)
  const partsOf = (runId: string, isLatest: boolean) => {
    const turnSteps = steps.filter((step) => step.runId === runId)
    return { steps: turnSteps, answers: answersOfTurn(answers, { steps, turnSteps, isLatest }) }
  }
  const asked = job.awaitingInput && (
    <Suspense fallback={<Skeleton className="h-40" />}>
      <PendingInput
        key={job.awaitingInput.toolCallId}
        jobId={job.jobId}
        asked={job.awaitingInput}
        onAnswered={refresh}
        onLate={setLate}
      />
    </Suspense>
  )
  const turn = latest && partsOf(latest.runId, true)
  const working = latest && job.status === 'running' && (
    <AgentNow
      steps={live}
      idleSince={turn?.steps.at(-1)?.endedAt ?? latest.createdAt}
      credits={turn ? sumOfSteps(turn.steps).credits : 0}
    />
  )
  return (
    <>
      <Title
        title={<bdi className="[overflow-wrap:anywhere]">{title}</bdi>}
        action={
          <May to={isLive ? 'jobs.cancel' : 'jobs.start'}>
            {isLive ? (
              <CancelRun jobId={job.jobId} onDone={refresh} />
            ) : (
              <>
                <ButtonLink size="small" href={comparePath(job.rerunOf ? [job.rerunOf, job.jobId] : [job.jobId])}>
                  Compare
                </ButtonLink>
                <ButtonLink size="small" href={`/jobs/new?again=${job.jobId}`}>
                  Run again
                </ButtonLink>
              </>
            )}
          </May>
        }
      />
      <div className="sticky top-(--bar) z-20 -mt-4 mb-4 flex flex-wrap items-center gap-x-3 gap-y-1 border-b bg-surface py-2 text-table">
        <span role="status" aria-label="Status of the job">
          <JobBadge status={job.status} />
        </span>
        <span className="text-muted">
          <Credits value={job.creditsSpent} /> of {formatCredits(job.budget.capCredits)} credits
        </span>
        <Usd credits={job.creditsSpent} rate={rate} className="text-caption lg:hidden" />
      </div>
      <div className="grid items-start gap-x-8 gap-y-6 lg:grid-cols-[minmax(0,1fr)_300px]">
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-6">
          {isLost && connection === 'ok' && (
            <Notice tone="bad">The service cannot be reached. This page may be out of date.</Notice>
          )}
          {late && <Notice tone="warn">Your answer was too late. {late}</Notice>}
          {latest && turn && (
            <LatestTurn
              again={isLive ? undefined : job.jobId}
              turn={latest}
              {...turn}
              title={title}
              now={asked || working}
              made={
                <>
                  <WhatNow
                    jobId={job.jobId}
                    turn={latest}
                    steps={turn.steps.length}
                    artifacts={job.artifacts.length}
                    credits={sumOfSteps(turn.steps).credits}
                    canContinue={!job.budget.reached}
                  />
                  {!isLive && job.budget.stoppedBy && (
                    <StoppedRun by={job.budget.stoppedBy} steps={turn.steps}>
                      {job.budget.reached && (
                        <Suspense>
                          <RaiseLimit
                            jobId={job.jobId}
                            capCredits={job.budget.capCredits}
                            toFinish={toFinishOf(turn.steps)?.to ?? 0}
                            onRaised={refresh}
                          />
                        </Suspense>
                      )}
                    </StoppedRun>
                  )}
                  <Artifacts artifacts={job.artifacts} />
                  {latest.status === 'completed' && (
                    <Suspense>
                      <ShareRun turn={latest} onChanged={refresh} />
                    </Suspense>
                  )}
                </>
              }
            />
          )}
          {!isLive && (
            <May to="jobs.start">
              <div id="continue" className="scroll-mt-24">
                <Section title="Continue this conversation">
                  {job.budget.reached ? (
                    <Notice tone="warn">Raise the spend limit above to continue, or start a new conversation.</Notice>
                  ) : (
                    <WhenSeen height={FORM_PX}>
                      <RunForm
                        runKey={runKey}
                        models={models}
                        conversationId={job.jobId}
                        mode={job.mode}
                        onStarted={refresh}
                      />
                    </WhenSeen>
                  )}
                </Section>
              </div>
            </May>
          )}
          <Suspense>
            <Deliveries jobId={job.jobId} status={job.status} />
          </Suspense>
          {turns.length > 1 && (
            <Section title="Earlier turns">
              <ol className="rounded border bg-raised">
                {turns
                  .slice(0, -1)
                  .toReversed()
                  .map((turn) => (
                    <EarlierTurn
                      key={turn.runId}
                      again={isLive ? undefined : job.jobId}
                      turn={turn}
                      {...partsOf(turn.runId, false)}
                    />
                  ))}
              </ol>
            </Section>
          )}
        </div>
        <aside className="lg:sticky lg:top-[calc(var(--bar)+1rem)]">
          <JobFacts job={job} turn={latest} rate={rate} saved={savedCreditsOf(steps)} />
        </aside>
      </div>
    </>
  )
}
