import type { Metadata } from 'next'
import { RunForm } from '@/components/jobs/run-form'
import { Title } from '@/components/ui/page'
import { dashboardApi } from '../../dashboard-api'
import { loadChatModels } from '../chat-models'

export const metadata: Metadata = { title: 'New run' }

export default async function NewRunPage() {
  const api = await dashboardApi()
  const [keys, models] = await Promise.all([api.jobs.keys(), loadChatModels(api)])
  return (
    <div className="max-w-[760px]">
      <Title
        title="New run"
        note="An agent works on a goal step by step. The key limits what it may use and how much it may spend."
      />
      <RunForm keys={keys} models={models} />
    </div>
  )
}
