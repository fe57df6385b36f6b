import type { Metadata } from 'next'
import { JobPage } from '@/components/jobs/job-page'
import { Title } from '@/components/ui/page'
import { jobOf } from '../../look-up'
import { ownerApi } from '../../owner-api'
import { chatModelsOf } from '../chat-models'

export const metadata: Metadata = { title: 'Job' }

export default async function OneJobPage({ params }: { params: Promise<{ jobId: string }> }) {
  const { jobId } = await params
  const api = await ownerApi()
  const conversation = await jobOf(jobId)
  const [{ steps }, keys, models, me] = await Promise.all([
    api.jobs.steps({ jobId, limit: 500 }),
    api.jobs.keys(),
    chatModelsOf(api),
    api.account.me(),
  ])
  return (
    <>
      <Title title={<bdi className="[overflow-wrap:anywhere]">{conversation.title}</bdi>} />
      <JobPage first={conversation} firstSteps={steps} keys={keys} models={models} rate={me.creditsPerUsd} />
    </>
  )
}
