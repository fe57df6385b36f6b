'use client'

import type { inferRouterOutputs } from '@trpc/server'
import type { AppRouter } from '@/server/api/router'
import { JsonView } from '../catalog/json-view'
import { formatCredits } from '../ui/amount'
import { Facts, Section } from '../ui/page'
import { TimeAgo } from '../ui/time-ago'
import { AgentText } from './agent-text'
import { Artifacts } from './artifacts'

type Run = NonNullable<inferRouterOutputs<AppRouter>['visitor']['sharedRun']>

const STEP_NAMES: Record<string, string> = {
  model: 'Thought',
  question: 'Asked its owner',
  plan: 'Showed a plan',
  summary: 'Summed up what came before',
  wrap_up: 'Summed up',
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)} s`

/** A run as whoever has its link sees it. */
export const SharedRunView = ({ run }: { run: Run }) => (
  <main className="mx-auto grid w-full max-w-[860px] grid-cols-[minmax(0,1fr)] gap-6 px-5 py-8">
    <h1 className="text-title font-semibold tracking-tight">Result of an agent run</h1>
    {run.goal !== null && (
      <Section title="What was asked">
        <p className="rounded border bg-sunken px-3 py-2 [overflow-wrap:anywhere] whitespace-pre-wrap">{run.goal}</p>
      </Section>
    )}
    <section aria-label="Result" className="rounded border bg-raised p-4">
      <h2 className="sr-only">Result</h2>
      {run.output === undefined ? (
        <AgentText text={run.result} />
      ) : (
        <JsonView text={JSON.stringify(run.output, null, 2)} />
      )}
    </section>
    <Artifacts artifacts={run.artifacts} />
    <details className="rounded border bg-raised">
      <summary className="px-3 py-2 text-table font-medium">How it was made: {run.steps.length} steps</summary>
      <div className="border-t px-3 py-2">
        <Facts
          rows={[
            [
              'Model',
              <span key="model" className="num">
                {run.model}
              </span>,
            ],
            ['Ended', <TimeAgo key="ended" at={run.endedAt} />],
            ...(run.credits === null ? [] : [['Cost', `${formatCredits(run.credits)} credits`] as const]),
          ]}
        />
        <ol className="mt-2 grid gap-1 text-table">
          {run.steps.map(({ kind, name, hasFailed, ms }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a finished run never changes
            <li key={at} className="flex gap-3">
              <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
                {STEP_NAMES[kind] ?? <span className="num">{name}</span>}
                {hasFailed && <span className="text-muted"> (failed)</span>}
              </span>
              <span className="num text-muted">{seconds(ms)}</span>
            </li>
          ))}
        </ol>
      </div>
    </details>
  </main>
)
