import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDatabaseFolder } from '../../server/cli/embedded/folder'
import { databaseUser } from '../../server/cli/embedded/system-user'
import { sweepHolds } from '../../server/credits/sweep'
import { closeDb } from '../../server/db'
import { type Cluster, startCluster } from '../faults/cluster'
import { allFaults } from '../faults/faults'
import { randomFault } from '../faults/random'
import { faultFindings } from '../faults/report'
import { runRound } from '../faults/run-round'
import { expireLeases } from '../support/ledger'
import { endPostgresNow, onTermination } from '../support/on-termination'

/**
 * The quick part of `npm run test:faults`: one fault of each kind, short enough for every run of
 * the tests.
 */
const QUICK = ['PostgreSQL killed', 'web killed', 'worker frozen 4 s']
/**
 * And a few short rounds of `--random`: links, the clock of the database, a restored backup,
 * answers that are lost, and ends of tasks. A seed that ever failed belongs here.
 */
const SEEDS = [3, 4, 18, 105, 122]

let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster('chaos-faults', 3)
  onTermination(() => {
    for (const each of [cluster.sandbox, ...cluster.web, ...cluster.worker]) each.signal('SIGKILL')
    endPostgresNow(openDatabaseFolder('chaos-faults-pg', databaseUser()))
  })
})
afterAll(async () => {
  await closeDb()
  await cluster?.stop()
})

const afterTraffic = () => expireLeases().then(sweepHolds)
const faults = allFaults({ restart: 6_000, kill: 3_000, frozen: 4_000, diskFull: 6_000 })

it.each(QUICK)('%s: every channel is charged what its clients saw, and served again', async (name) => {
  const fault = faults.find((known) => known.name === name)
  if (!fault) throw new Error(`there is no fault "${name}"`)
  expect(faultFindings(await runRound(cluster, fault, { afterTraffic }))).toEqual([])
})

it.each(SEEDS)('faults of seed %s: what clients saw is what was charged, on every channel', async (seed) => {
  const fault = randomFault(seed, cluster, { min: 300, max: 5_000 })
  const round = await runRound(cluster, fault, { afterTraffic, settledWithinMs: 60_000 })
  expect(faultFindings(round), fault.name).toEqual([])
})
