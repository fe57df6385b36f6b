import { setTimeout as sleep } from 'node:timers/promises'
import { endProcesses, startChildProcess } from '../../server/cli/children'
import { findFreePort } from '../../server/cli/kit/ports'
import { findLedgerDifferences } from '../../server/credits/verify'
import { mainPool } from '../../server/db'
import { pollUntil } from '../support/poll-until'
import { type InspectedProcess, inspectProcess, type ProcessSample } from './inspect'
import { startGateway } from './measure'
import { benchOptions } from './options'
import { keepUp, type LoadOutcome, makeLoad, measureFullSpeed } from './soak-load'
import { reportSoak, type SampledProcess } from './soak-report'

const FULL_SPEED_SECONDS = 15
const SHARE = 1 / 3
const EVERY_MS = 10_000

type Watched = { name: string; inspected: InspectedProcess; samples: ProcessSample[] }

/** Samples every process now and then until `isOver`. */
async function sampleUntil(isOver: () => boolean, watched: readonly Watched[]): Promise<void> {
  for (let next = performance.now(); !isOver(); next += EVERY_MS) {
    for (const { inspected, samples } of watched) samples.push(await inspected.sample())
    while (!isOver() && performance.now() < next + EVERY_MS) await sleep(100)
  }
}

/** Throws unless every sum of the ledger agrees once nothing is held any more. */
async function checkLedger(): Promise<void> {
  await pollUntil('the end of every hold', async () => {
    const { rows } = await mainPool().query<{ n: number }>('SELECT count(*)::int AS n FROM hold')
    return rows[0]?.n === 0
  })
  const differences = await findLedgerDifferences()
  if (differences.length > 0) throw new Error(`the ledger does not agree: ${JSON.stringify(differences[0])}`)
}

const firstErrors = (load: readonly LoadOutcome[]): string =>
  load.map(({ name, firstError }) => (firstError ? `\n\nThe first failure of ${name}: ${firstError}` : '')).join('')

/**
 * A third of what this machine can do, mixed of calls, streams and agent runs, for an hour or for
 * `--minutes`: what the processes take, sampled every 10 s, and whether the ledger agrees
 * afterwards. Returns Markdown tables and charts.
 */
export async function benchSoak(): Promise<string> {
  const ports = { web: await findFreePort(9_230), worker: await findFreePort(9_330) }
  const inspectable = (port: number) => ({ NODE_OPTIONS: `--inspect-port=${port}` })
  const gateway = await startGateway(1, inspectable(ports.web))
  const worker = startChildProcess(
    'worker',
    { ...gateway.env, ...inspectable(ports.worker) },
    { logName: 'bench-worker' },
  )
  const { kinds, close } = makeLoad(gateway.url, gateway.key)
  const watched: Watched[] = []
  try {
    const possible = await measureFullSpeed(kinds, FULL_SPEED_SECONDS)
    for (const [name, pid] of [
      ['web', gateway.pid],
      ['worker', worker.process.pid],
    ] as const) {
      watched.push({ name, inspected: await inspectProcess(pid, ports[name]), samples: [] })
    }
    let isOver = false
    const sampled = sampleUntil(() => isOver, watched)
    const ms = benchOptions.minutes * 60_000
    const load = await Promise.all(kinds.map((kind, i) => keepUp(kind, (possible[i] ?? 0) * SHARE, ms)))
    isOver = true
    await sampled
    const processes: SampledProcess[] = watched.map(({ name, samples }) => ({ name, samples }))
    const report = reportSoak(load, processes, { minutes: benchOptions.minutes, everyMs: EVERY_MS })
    await checkLedger().catch((error: unknown) => {
      // An hour's figures are not lost over it.
      process.stdout.write(`${report}${firstErrors(load)}\n\n`)
      throw error
    })
    return `${report}\n\nThe ledger agreed afterwards.${firstErrors(load)}`
  } finally {
    for (const { inspected } of watched) inspected.close()
    await close()
    await endProcesses([worker.process], 5_000)
    await gateway.stop()
  }
}
