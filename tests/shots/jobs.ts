import { randomUUID } from 'node:crypto'
import type { ExampleGoal } from '../../server/agent/welcome/example-goals'
import { pollUntil } from '../support/poll-until'
import type { ShotApi } from './calls'

type StartedRun = { jobId: string; status: string; artifacts?: { kind: string; name: string }[] }

/** Runs in the states that a page can show, by name, and a dataset that one of them made. */
export type ShotJobs = { ids: Record<string, string>; dataset: string | null; scheduleId: string }

/** The rest of a goal that only the sandbox's model reads: it answers slowly. */
const SLOWLY = `\n\n[[sandbox ${JSON.stringify({ text: 'word '.repeat(300), chunks: 300, chunkDelayMs: 400 })}]]`

/**
 * Runs the example goals: one that shows a plan as far as that, and once more as far as its
 * approval.
 */
export async function startShotJobs(api: ShotApi, examples: readonly ExampleGoal[]): Promise<ShotJobs> {
  const start = ({ goal, mode }: Pick<ExampleGoal, 'goal' | 'mode'>) =>
    api<StartedRun>('/agent', { goal, mode, idempotencyKey: randomUUID(), wait: true })
  const ids: Record<string, string> = {}
  let dataset: string | null = null
  for (const example of examples) {
    const run = await start(example)
    ids[example.id] = run.jobId
    dataset ??= run.artifacts?.find(({ kind }) => kind === 'dataset')?.name ?? null
    if (run.status !== 'awaiting_input') continue
    const again = await start(example)
    await api(`/agent/${again.jobId}/answer`, { approved: true })
    await pollUntil('a run', async () => (await api<StartedRun>(`/agent/${again.jobId}`)).status !== 'running')
    ids[`${example.id}-approved`] = again.jobId
  }
  const { scheduleId } = await api<{ scheduleId: string }>('/agent/schedules', {
    cron: '0 7 * * 1-5',
    timeZone: 'Europe/Madrid',
    name: 'Homes in Lisbon',
    goal: examples.find(({ id }) => id === 'homes')?.goal ?? 'What does bitcoin cost?',
  })
  return { ids, dataset, scheduleId }
}

/** A run that is in progress for two minutes. */
export async function startSlowJob(api: ShotApi): Promise<string> {
  const { jobId } = await api<StartedRun>('/agent', {
    goal: `Summarise this week’s news about road pricing in Europe.${SLOWLY}`,
    idempotencyKey: randomUUID(),
  })
  return jobId
}
