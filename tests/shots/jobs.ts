import { randomUUID } from 'node:crypto'
import { comparePath } from '../../components/jobs/compare-path'
import { pollUntil } from '../support/poll-until'
import type { ShotApi } from './calls'

type StartedRun = { jobId: string; status: string }

/** Runs in the states that a page can show, by name, and the paths of what else was made. */
export type ShotJobs = { ids: Record<string, string>; made: Record<string, string> }

/** The rest of a goal that only the sandbox's model reads: it answers slowly. */
const SLOWLY = `\n\n[[sandbox ${JSON.stringify({ text: 'word '.repeat(300), chunks: 300, chunkDelayMs: 400 })}]]`

/**
 * Starts the example goals as their cards do and waits for them: one that shows a plan as far as
 * that, and once more as far as its approval. `api` has a key that may answer.
 */
export async function startShotJobs(dashboard: ShotApi, api: ShotApi, examples: readonly string[]): Promise<ShotJobs> {
  const ended = (jobId: string) =>
    pollUntil('a run', async () => {
      const run = await api<StartedRun>(`/agent/${jobId}`)
      return run.status === 'running' ? null : run
    })
  const start = async (example: string) => {
    const { result } = await dashboard<{ result: { data: StartedRun } }>('/examples.start', {
      example,
      idempotencyKey: randomUUID(),
    })
    return ended(result.data.jobId)
  }
  const ids: Record<string, string> = {}
  for (const example of examples) {
    const run = await start(example)
    ids[example] = run.jobId
    if (run.status !== 'awaiting_input') continue
    const again = await start(example)
    await api(`/agent/${again.jobId}/answer`, { approved: true })
    await ended(again.jobId)
    ids[`${example}-approved`] = again.jobId
  }
  return { ids, made: await makeOthers(dashboard, api, ids) }
}

type Result<T> = { result: { data: T } }

/** What has a page of its own besides runs. Answers the paths by the names of their images. */
async function makeOthers(dashboard: ShotApi, api: ShotApi, ids: ShotJobs['ids']): Promise<ShotJobs['made']> {
  const { scheduleId } = await api<{ scheduleId: string }>('/agent/schedules', {
    cron: '0 7 * * 1-5',
    timeZone: 'Europe/Madrid',
    name: 'Prices of the morning',
    goal: 'What do bitcoin and ether cost, and what has changed since yesterday?',
  })
  const budget = await dashboard<Result<{ id: string }>>('/budgets.create', {
    name: 'Support, each month',
    credits: 5_000,
    window: 'month',
    scope: { tags: ['support'] },
    alertAt: [80],
  })
  const { runId } = await api<{ runId: string }>(`/agent/${ids.homes}`)
  const shared = await dashboard<Result<{ url: string }>>('/jobs.share', { runId, shows: ['goal', 'cost'] })
  const { datasets } = await api<{ datasets: { name: string }[] }>('/datasets')
  const { sites } = await api<{ sites: { slug: string }[] }>('/sites')
  return {
    schedule: `/jobs/schedules/${scheduleId}`,
    'schedule-edit': `/jobs/schedules/${scheduleId}/edit`,
    budget: `/budgets/${budget.result.data.id}`,
    'budget-edit': `/budgets/${budget.result.data.id}/edit`,
    shared: new URL(shared.result.data.url).pathname,
    dataset: `/library/datasets/${datasets[0]?.name}`,
    site: `/library/sites/${sites[0]?.slug}`,
    compare: comparePath([ids.research, ids.homes].filter((id) => id !== undefined)),
  }
}

/** A run that is in progress for two minutes. */
export async function startSlowJob(api: ShotApi): Promise<string> {
  const { jobId } = await api<StartedRun>('/agent', {
    goal: `Summarise this week’s news about road pricing in Europe.${SLOWLY}`,
    idempotencyKey: randomUUID(),
  })
  return jobId
}
