// npm run test:faults: every fault on every channel; exit 1 when a cell is broken. `--only
// frozen-5,web` runs those faults whose names contain one of these words; `--random N` runs N
// rounds of faults that are drawn, some at once, from the seeds `--seed S` (1) and following, and
// `--seeds 3,17` those of these seeds;
// `--write` keeps the results of fixed faults in RESULTS.md.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { CliError, PROJECT_ROOT, runMain } from '../../server/cli/kit/project'
import { sweepHolds } from '../../server/credits/sweep'
import { closeDb } from '../../server/db'
import { expireLeases } from '../support/ledger'
import { startCluster } from './cluster'
import { allFaults, type Fault, faultSlug } from './faults'
import { randomFault } from './random'
import { faultFindings, faultReport } from './report'
import { type Round, runRound } from './run-round'

const HEADING = `# Fault matrix

One run of \`npm run test:faults -- --write\`. Each cell is one fault under the traffic of one owner and channel. Credits
that clients saw must equal the ledger; "cut" credits belong to calls whose connection closed with their process.
`

const RESULTS = path.join(PROJECT_ROOT, 'tests/faults/RESULTS.md')
/** What follows is written by hand. */
const RANDOM_HEADING = '\n# Random faults\n'

const SETTLED_WITHIN_MS = 60_000
/**
 * The leases of killed processes end with the traffic: to wait for them would take most of a round.
 */
const RANDOM = { settledWithinMs: SETTLED_WITHIN_MS, afterTraffic: () => expireLeases().then(sweepHolds) }

/** The number behind an option; null: it is not there. */
function numberAfter(option: string): number | null {
  const at = process.argv.indexOf(option)
  if (at < 0) return null
  const value = Number(process.argv[at + 1])
  if (!Number.isSafeInteger(value) || value < 0) throw new CliError(`${option} takes a whole number`)
  return value
}

/** The seeds of a random run; null: the fixed faults are wanted. */
function seedsWanted(): number[] | null {
  const at = process.argv.indexOf('--seeds')
  if (at >= 0) return (process.argv[at + 1] ?? '').split(',').map(Number)
  const random = numberAfter('--random')
  const seed = numberAfter('--seed') ?? 1
  return random === null ? null : Array.from({ length: random }, (_, i) => seed + i)
}

function chosen(): Fault[] {
  const at = process.argv.indexOf('--only')
  const words = at < 0 ? [] : (process.argv[at + 1] ?? '').split(',').filter(Boolean)
  const known = allFaults()
  const faults = known.filter((fault) => words.length === 0 || words.some((word) => faultSlug(fault).includes(word)))
  if (faults.length === 0) throw new CliError(`No such fault. There are: ${known.map(faultSlug).join(', ')}`)
  return faults
}

const say = (text: string) => process.stdout.write(`${text}\n`)

await runMain(async () => {
  const seeds = seedsWanted()
  const fixed = seeds === null ? chosen() : []
  const startedAt = Date.now()
  const cluster = await startCluster('faults', seeds === null ? 2 : 3)
  const faults = seeds === null ? fixed : seeds.map((seed) => randomFault(seed, cluster))
  // The processes are in separate groups: nothing else would end them.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void cluster.stop().finally(() => process.exit(130)))
  }
  const rounds: Round[] = []
  try {
    for (const fault of faults) {
      const round = await runRound(cluster, fault, seeds === null ? {} : RANDOM)
      rounds.push(round)
      const findings = faultFindings(round)
      say(`${fault.name}: ${round.skipped ?? (findings.length === 0 ? 'ok' : 'BROKEN')} (${round.tookS.toFixed(1)} s)`)
      for (const finding of findings) say(`  ${finding}`)
    }
  } finally {
    await closeDb()
    await cluster.stop()
  }
  const minutes = ((Date.now() - startedAt) / 60_000).toFixed(1)
  const table = seeds === null ? `${faultReport(rounds)}\n\n` : ''
  const broken = rounds.filter((round) => faultFindings(round).length > 0)
  const report = `${table}${rounds.length} faults in ${minutes} minutes, ${broken.length} broken.\n`
  say(`\n${report}`)
  if (process.argv.includes('--write') && seeds === null) {
    const kept = readFileSync(RESULTS, 'utf8')
    writeFileSync(RESULTS, `${HEADING}\n${report}${kept.slice(kept.indexOf(RANDOM_HEADING))}`)
  }
  return broken.length > 0 ? 1 : 0
})
