import type { Metadata } from 'next'
import { Examples } from '@/components/jobs/examples'
import { RunForm } from '@/components/jobs/run-form'
import { Section, Title } from '@/components/ui/page'
import { nullIfRefused } from '../../../or-not-found'
import { dashboardApi } from '../../dashboard-api'
import { loadChatModels } from '../chat-models'

export const metadata: Metadata = { title: 'New run' }

type Search = Promise<{ example?: string | string[]; again?: string | string[] }>

export default async function NewRunPage({ searchParams }: { searchParams: Search }) {
  const { example, again } = await searchParams
  const api = await dashboardApi()
  const before = typeof again === 'string' ? await nullIfRefused(api.jobs.get({ jobId: again }), 'not_found') : null
  const first = before?.turns[0]
  const [runKey, models, examples] = await Promise.all([
    api.jobs.runKey({ keyId: first?.keyId }),
    loadChatModels(api),
    api.examples.list(),
  ])
  const chosen = first ? { ...first, id: first.runId } : examples.find(({ id }) => id === example)
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
