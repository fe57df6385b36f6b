import { randomUUID } from 'node:crypto'
import type { ShotApi } from './calls'

type StartedRun = { jobId: string; status: string; artifacts?: { kind: string; name: string }[] }

/** Runs in the states that a page can show, by name, and a dataset that one of them made. */
export type ShotJobs = { ids: Record<string, string>; dataset: string | null; scheduleId: string }

/** Goals of finished runs, each of which shows something else. */
const FINISHED: Record<string, string> = {
  research: 'Which toll roads in the Alps cost the most, and what do drivers say about them? Give sources.',
  homes:
    'Find flats for rent in Valencia, Spain under 1,200 euros, collect them in a dataset and compare the prices of the districts in a chart.',
  image: 'Draw a toll gate in the mountains at dawn, as a wide image.',
  site: 'Publish a one-page site about the history of toll roads, with sources.',
}

/** The rest of a goal that only the sandbox's model reads: it answers slowly. */
const SLOWLY = `\n\n[[sandbox ${JSON.stringify({ text: 'word '.repeat(300), chunks: 300, chunkDelayMs: 400 })}]]`

export async function startShotJobs(api: ShotApi): Promise<ShotJobs> {
  const start = (goal: string, more: object = {}) =>
    api<StartedRun>('/agent', { goal, idempotencyKey: randomUUID(), wait: true, ...more })
  const ids: Record<string, string> = {}
  let dataset: string | null = null
  for (const [name, goal] of Object.entries(FINISHED)) {
    const run = await start(goal)
    ids[name] = run.jobId
    dataset ??= run.artifacts?.find(({ kind }) => kind === 'dataset')?.name ?? null
  }
  const again = await start('Replace the site with a shorter version.', { conversationId: ids.site })
  if (again.status === 'awaiting_input') ids.approval = again.jobId
  const plan = await start('Compare the prices of bitcoin and ether with what people write about them.', {
    mode: 'interactive',
  })
  ids.plan = plan.jobId
  const { scheduleId } = await api<{ scheduleId: string }>('/agent/schedules', {
    cron: '0 7 * * 1-5',
    timeZone: 'Europe/Madrid',
    name: 'New flats in Valencia',
    goal: FINISHED.homes,
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
