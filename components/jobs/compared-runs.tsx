'use client'

import { useQueries } from '@tanstack/react-query'
import Link from 'next/link'
import { useTRPC, useTRPCClient } from '../trpc'
import { Credits, formatUsd } from '../ui/amount'
import { cn } from '../ui/cn'
import { formatDuration } from '../ui/format-time'
import { DataTable, Head, Td, Th } from '../ui/table'
import { comparePath } from './compare-path'
import { differenceFrom, pagesOfSteps } from './compared-steps'
import { JobBadge } from './labels'
import type { Conversation, JobStep, JobTurn } from './shape'
import { answersOfTurn, sumOfSteps } from './timeline'
import { TurnGoal, TurnResult } from './turn'
import { TurnSteps } from './turn-steps'
import { judgeCredits, passedText, Verdicts } from './verdicts'

const LIVE_MS = 2_000

type Read = { conversation: Conversation; steps: JobStep[] }
type Run = { jobId: string; name: string; turn: JobTurn; steps: JobStep[]; conversation: Conversation }

const isLive = ({ status }: { status: JobTurn['status'] }) => status === 'running' || status === 'awaiting_input'

/** The latest run of each job, read again while it goes on. */
function useComparedRuns(first: readonly Read[]): Run[] {
  const trpc = useTRPC()
  const client = useTRPCClient()
  return useQueries({
    queries: first.map((initialData) => {
      const { jobId } = initialData.conversation.job
      return {
        queryKey: ['compared run', jobId, trpc.jobs.get.queryKey({ jobId })],
        queryFn: async (): Promise<Read> => {
          const steps = await pagesOfSteps((page) => client.jobs.steps.query({ jobId, ...page }))
          return { steps, conversation: await client.jobs.get.query({ jobId }) }
        },
        initialData,
        refetchInterval: ({ state }: { state: { data?: Read } }) =>
          state.data && isLive(state.data.conversation.job) ? LIVE_MS : (false as const),
      }
    }),
    combine: (answers) =>
      answers.flatMap(({ data: { conversation, steps } }, at) => {
        const turn = conversation.turns.at(-1)
        if (!turn) return []
        const own = steps.filter(({ runId }) => runId === turn.runId)
        return [{ jobId: conversation.job.jobId, name: `Run ${at + 1}`, turn, steps: own, conversation }]
      }),
  })
}

const Difference = ({ of }: { of: string }) => <span className="block text-caption text-muted">{of}</span>

/** What each run cost and took, and how that differs from the first. */
function ComparedTable({ runs, rate }: { runs: readonly Run[]; rate: number }) {
  const rows = runs.map((run) => {
    const sum = sumOfSteps(run.steps)
    return { ...run, sum: { ...sum, credits: sum.credits + judgeCredits(run.turn.checks) } }
  })
  const hasChecks = runs.some(({ turn }) => turn.checks)
  const first = rows[0]?.sum
  return (
    <DataTable label="Runs compared">
      <Head>
        <Th>Run</Th>
        <Th right>Credits</Th>
        {hasChecks && <Th right>Checks</Th>}
        <Th right>Time</Th>
        <Th right>Steps</Th>
        <Th right wide>
          Tokens
        </Th>
        <Th right wide>
          Failed calls
        </Th>
      </Head>
      <tbody>
        {rows.map(({ jobId, name, turn, steps, sum }) => (
          <tr key={jobId} className="border-b last:border-b-0">
            <Td className="min-w-36">
              <Link href={`/jobs/${jobId}`} className="text-accent underline underline-offset-2">
                {name}
              </Link>{' '}
              <JobBadge status={turn.status} />
              <span className="num block text-caption text-muted [overflow-wrap:anywhere]">{turn.model}</span>
            </Td>
            <Td right>
              <Credits value={sum.credits} />
              <Difference of={`${formatUsd(sum.credits, rate)} ${differenceFrom(first?.credits ?? 0, sum.credits)}`} />
            </Td>
            {hasChecks && (
              <Td right className="whitespace-nowrap">
                {passedText(turn.checks) ?? '–'}
              </Td>
            )}
            <Td right className="num whitespace-nowrap">
              {formatDuration(sum.durationMs)}
              <Difference of={differenceFrom(first?.durationMs ?? 0, sum.durationMs)} />
            </Td>
            <Td right className="num">
              {sum.count}
              <Difference of={differenceFrom(first?.count ?? 0, sum.count)} />
            </Td>
            <Td right wide>
              <Credits value={sum.tokens} />
              <Difference of={differenceFrom(first?.tokens ?? 0, sum.tokens)} />
            </Td>
            <Td right wide className="num">
              {steps.filter(({ error }) => error !== null).length}
            </Td>
          </tr>
        ))}
      </tbody>
    </DataTable>
  )
}

/** The result and the steps of a run, below what only it was asked. */
function ComparedRun({ run, hasOwnGoal, others }: { run: Run; hasOwnGoal: boolean; others: string[] }) {
  const { name, turn, steps, conversation } = run
  const answers = answersOfTurn(conversation.answers, { steps, turnSteps: steps, isLatest: true })
  return (
    <section aria-label={name} className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-3">
      <div className="flex items-baseline justify-between gap-3">
        <h2 className="min-w-0 font-semibold">
          {name}: <span className="num font-normal [overflow-wrap:anywhere]">{turn.model}</span>
        </h2>
        {others.length > 0 && (
          <Link
            href={comparePath(others)}
            aria-label={`Leave out ${name}`}
            className="shrink-0 text-table text-muted underline underline-offset-2"
          >
            Leave out
          </Link>
        )}
      </div>
      {hasOwnGoal && <TurnGoal goal={turn.goal} />}
      {turn.status === 'awaiting_input' && (
        <p className="text-table">
          <Link href={`/jobs/${run.jobId}`} className="text-accent underline underline-offset-2">
            Answer what it asks
          </Link>
        </p>
      )}
      {turn.result === null ? (
        <p className="rounded border border-dashed px-4 py-6 text-muted">No result yet.</p>
      ) : (
        <TurnResult turn={{ ...turn, result: turn.result }} idPrefix={`${run.jobId}-`} />
      )}
      <Verdicts turn={turn} />
      <TurnSteps turn={turn} steps={steps} answers={answers} isLive={false} />
    </section>
  )
}

/** Runs side by side, live: what they cost, what came of them, and how. */
export function ComparedRuns({ first, rate }: { first: Read[]; rate: number }) {
  const runs = useComparedRuns(first)
  const goals = new Set(runs.map(({ turn }) => turn.goal.trim()))
  return (
    <div className="mb-8 grid grid-cols-[minmax(0,1fr)] gap-6">
      {goals.size === 1 && runs[0] && <TurnGoal goal={runs[0].turn.goal} />}
      <ComparedTable runs={runs} rate={rate} />
      <div
        className={cn('grid grid-cols-[minmax(0,1fr)] gap-6', runs.length > 1 && 'lg:auto-cols-fr lg:grid-flow-col')}
      >
        {runs.map((run) => (
          <ComparedRun
            key={run.jobId}
            run={run}
            hasOwnGoal={goals.size > 1}
            others={runs.filter(({ jobId }) => jobId !== run.jobId).map(({ jobId }) => jobId)}
          />
        ))}
      </div>
    </div>
  )
}
