import { randomUUID } from 'node:crypto'
import { cpus } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { startJob } from '../../server/agent/jobs/start'
import { mainPool } from '../../server/db'
import { type CpuPerCall, formatCpuSpread, startCpuMeter } from './cpu'
import { INSTANT_MODEL, startInstantModel } from './instant-model'
import { benchOptions } from './options'
import { formatHundredth, formatWhole, markdownTable, spreadOf } from './table'

export type Starter = Parameters<typeof startJob>[0]

const RUNS = 48
/** Answers of a run's model that make two calls each. Then comes a text. */
const ROUNDS = 6
const STEPS_OF_RUN = ROUNDS * 3 + 1

/** Waits until runs are over, asking every `pollMs`. */
export async function untilOver(jobIds: readonly string[], pollMs = 20): Promise<void> {
  for (;;) {
    const { rows } = await mainPool().query(
      `SELECT count(*)::int AS n FROM job WHERE id = ANY ($1) AND status = 'running'`,
      [jobIds],
    )
    if (rows[0].n === 0) return
    await sleep(pollMs)
  }
}

/** `batch`: steps that share a commit, as the rows that it wrote say. */
type StepFigures = { perSecond: number; msPerStep: number; batch: number } & CpuPerCall

/** Some runs that are started together, `times` after each other. */
type Load = { runs: number; times: number }

/**
 * Steps a second, and the CPU time of a step, with a model that answers at once and tools that cost
 * nothing. Starts and ends of the runs are part of it.
 */
async function measureSteps(starter: Starter, workerPid: number, { runs, times }: Load): Promise<StepFigures> {
  const start = () =>
    startJob(starter, {
      goal: 'Go.',
      idempotencyKey: randomUUID(),
      mode: 'autonomous',
      model: INSTANT_MODEL,
      wait: false,
    })
  const steps = runs * times * STEPS_OF_RUN
  const jobIds: string[] = []
  const cpuPerCall = await startCpuMeter(workerPid)
  const began = performance.now()
  for (let i = 0; i < times; i++) {
    const started = await Promise.all(Array.from({ length: runs }, start))
    const ids = started.map(({ job }) => job.jobId)
    await untilOver(ids, runs === 1 ? 5 : 20)
    jobIds.push(...ids)
  }
  const tookMs = performance.now() - began
  const cpu = cpuPerCall(steps)
  const { rows } = await mainPool().query<{ steps: number; commits: number }>(
    'SELECT count(*)::int AS steps, count(DISTINCT xmin::text)::int AS commits FROM step WHERE job_id = ANY ($1)',
    [jobIds],
  )
  const written = rows[0] ?? { steps: 0, commits: 0 }
  if (written.steps !== steps) throw new Error(`${written.steps} steps were written instead of ${steps}.`)
  return { perSecond: steps / (tookMs / 1_000), msPerStep: tookMs / steps, batch: steps / written.commits, ...cpu }
}

/** The part of all cores that worker and PostgreSQL used. */
const loadOf = ({ serverCpuUs, databaseCpuUs, msPerStep }: StepFigures) => ({
  share: (serverCpuUs + databaseCpuUs) / (msPerStep * 1_000 * cpus().length),
})

/** Durable steps of many runs at once, and of one run after another. Returns a Markdown table. */
export async function benchSteps(starter: Starter, workerPid: number): Promise<string> {
  const rowOf = async (name: string, load: Load): Promise<string[]> => {
    const rounds: StepFigures[] = []
    for (let i = 0; i <= benchOptions.rounds; i++) rounds.push(await measureSteps(starter, workerPid, load))
    // The first one warms up.
    const [, ...measured] = rounds
    return [
      name,
      spreadOf(measured, 'perSecond', formatWhole),
      spreadOf(measured, 'msPerStep', formatHundredth),
      ...formatCpuSpread(measured),
      spreadOf(measured, 'batch', formatWhole),
      spreadOf(measured.map(loadOf), 'share', (share) => `${formatWhole(share * 100)} %`),
    ]
  }
  const model = await startInstantModel(ROUNDS)
  const rows = [
    await rowOf(`${RUNS} runs at once`, { runs: RUNS, times: 1 }),
    await rowOf('one run after another', { runs: 1, times: 10 }),
  ]
  model.end()
  const title = `runs of ${STEPS_OF_RUN} steps on one worker`
  const heads = ['steps a second', 'ms a step', 'worker CPU µs', 'PostgreSQL CPU µs', 'steps a commit', 'of all cores']
  return markdownTable([title, ...heads], rows)
}
