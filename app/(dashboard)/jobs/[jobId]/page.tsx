import type { Metadata } from 'next'
import { JobPage } from '@/components/jobs/job-page'
import { nullIfRefused } from '../../../or-not-found'
import { dashboardApi } from '../../dashboard-api'
import { loadJob } from '../../load'
import { loadChatModels } from '../chat-models'

export const metadata: Metadata = { title: 'Job' }

export default async function OneJobPage({ params }: { params: Promise<{ jobId: string }> }) {
  const { jobId } = await params
  const api = await dashboardApi()
  const conversation = await loadJob(jobId)
  const [{ steps }, live, runKey, models, me] = await Promise.all([
    api.jobs.steps({ jobId, limit: 500 }),
    api.jobs.live({ jobId, have: null }),
    nullIfRefused(api.jobs.runKey({ keyId: conversation.turns.at(-1)?.keyId }), 'forbidden'),
    loadChatModels(api),
    api.account.me(),
  ])
  return (
    <JobPage
      first={conversation}
      firstSteps={steps}
      firstLive={live}
      runKey={runKey}
      models={models}
      rate={me.creditsPerUsd}
    />
  )
}
