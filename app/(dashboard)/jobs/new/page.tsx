import type { Metadata } from 'next'
import { asCheck } from '@/components/jobs/check-text'
import { Examples } from '@/components/jobs/examples'
import { RunForm } from '@/components/jobs/run-form'
import { Section, Title } from '@/components/ui/page'
import { nullIfRefused } from '../../../or-not-found'
import { dashboardApi } from '../../dashboard-api'
import { loadChatModels } from '../chat-models'

export const metadata: Metadata = { title: 'New run' }

type Api = Awaited<ReturnType<typeof dashboardApi>>

/** A step of a job, with its turn; null: there is no such step. */
async function stepOf(api: Api, { job: { jobId }, turns }: Awaited<ReturnType<Api['jobs']['get']>>, fromStep: number) {
  const { steps } = await api.jobs.steps({ jobId, limit: 1, ...(fromStep > 0 && { cursor: String(fromStep - 1) }) })
  const turn = steps[0]?.index === fromStep && turns.find(({ runId }) => runId === steps[0]?.runId)
  return turn ? { turn, fromStep } : null
}

type Search = Promise<{ example?: string | string[]; again?: string | string[]; from?: string | string[] }>

export default async function NewRunPage({ searchParams }: { searchParams: Search }) {
  const { example, again, from } = await searchParams
  const api = await dashboardApi()
  const before = typeof again === 'string' ? await nullIfRefused(api.jobs.get({ jobId: again }), 'not_found') : null
  const first = before?.turns[0]
  const [runKey, models, examples] = await Promise.all([
    api.jobs.runKey({ keyId: first?.keyId }),
    loadChatModels(api),
    api.examples.list(),
  ])
  const chosen = first ? { ...first, id: first.runId } : examples.find(({ id }) => id === example)
  const step =
    before && typeof from === 'string' && /^\d{1,9}$/.test(from) ? await stepOf(api, before, Number(from)) : null
  if (before && step) {
    const { turn, fromStep } = step
    return (
      <div className="max-w-[760px]">
        <Title
          title={`Run again from step ${fromStep}`}
          note="What came before that step is taken over and not paid again. From there on everything is done and paid again, with another model or other words if you wish. What the first run did is not undone: datasets, sites and files are as they are now. A shell begins empty."
        />
        <RunForm
          runKey={runKey}
          models={models}
          goal={turn.goal}
          mode={turn.mode}
          model={turn.model}
          checks={turn.checks?.map(asCheck)}
          rerun={{ fromStep, hasSchema: turn.output !== undefined }}
          compareWith={[before.job.jobId]}
        />
      </div>
    )
  }
  return (
    <div className="max-w-[760px]">
      <Title
        title="New run"
        note="An agent works on a goal step by step. The key limits what it may use and how much it may spend."
      />
      <RunForm key={chosen?.id} runKey={runKey} models={models} goal={chosen?.goal} mode={chosen?.mode} />
      {examples.length > 0 && (
        <Section title="Example goals" className="mt-8">
          <Examples examples={examples} isEditable={runKey !== null} />
        </Section>
      )}
    </div>
  )
}
