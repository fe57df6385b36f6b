import type { Metadata } from 'next'
import { CompareChoice } from '@/components/jobs/compare-choice'
import { ComparedRuns } from '@/components/jobs/compared-runs'
import { pagesOfSteps } from '@/components/jobs/compared-steps'
import { Title } from '@/components/ui/page'
import { nullIfRefused, orNotFound } from '../../../or-not-found'
import { dashboardApi } from '../../dashboard-api'
import { loadJob } from '../../load'
import { loadChatModels } from '../chat-models'

export const metadata: Metadata = { title: 'Compare runs' }

/** Beyond these, columns are too narrow to read. */
const MAX_RUNS = 4

type Search = Promise<{ job?: string | string[] }>

export default async function CompareRunsPage({ searchParams }: { searchParams: Search }) {
  const ids = [...new Set([(await searchParams).job ?? []].flat().filter(Boolean))].slice(0, MAX_RUNS)
  const api = await dashboardApi()
  const [runs, { jobs }, models, me] = await Promise.all([
    Promise.all(
      ids.map(async (jobId) => ({
        conversation: await loadJob(jobId),
        steps: await orNotFound(pagesOfSteps((page) => api.jobs.steps({ jobId, ...page }))),
      })),
    ),
    api.jobs.list({ limit: 50, sort: 'created', order: 'desc' }),
    loadChatModels(api),
    api.account.me(),
  ])
  const last = runs.at(-1)?.conversation.turns.at(-1)
  const runKey = await nullIfRefused(api.jobs.runKey({ keyId: last?.keyId }), 'forbidden')
  return (
    <>
      <Title title="Compare runs" note="The same goal over other models or other words: results, steps and cost." />
      {runs.length > 0 && <ComparedRuns key={ids.join()} first={runs} rate={me.creditsPerUsd} />}
      {ids.length < MAX_RUNS && (
        <CompareChoice
          key={`choice ${ids.join()}`}
          jobIds={ids}
          last={last ?? null}
          others={jobs.filter(({ jobId }) => !ids.includes(jobId))}
          models={models}
          runKey={runKey}
        />
      )}
    </>
  )
}
