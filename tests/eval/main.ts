// npm run eval: every goal with every scripted model, and with a real one where the environment
// names it (settings.ts); exit 1 when a goal was not met. README.md beside this file has the
// options.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { bundleThreads } from '../../server/cli/bundle-threads.mjs'
import { CliError, PROJECT_ROOT, runMain } from '../../server/cli/kit/project'
import { makeTestDatabase, startTestServer } from '../support/database'
import { releasePorts, takePort } from '../support/ports'
import type { Goal } from './goal'
import type { GoalResult } from './run-goal'
import { readRealModel } from './settings'
import { evalComplaints, evalTable, type KeptResult } from './table'

const FILES = { results: 'tests/eval/RESULTS.md', before: 'tests/eval/before.jsonl' }

const HEADING = `# Evaluation of agents

Goals with outcomes that a program can check, given to scripted models of four temperaments that know only what the
service shows them. \`npm run eval -- --write\` made this file; [README.md](README.md) says how it works.

"Before" is the state before agents were measured so, with the same goals. A goal is met when every check of its outcome
holds. The hasty model never reads on where a result was cut: goals that need it are not met by it. Seconds are of runs
beside each other, on whatever machine made the file.
`

/** Goals in progress at the same time. */
const CONCURRENCY = 6

const say = (text: string) => process.stdout.write(`${text}\n`)

const valuesOf = (option: string): string[] => {
  const at = process.argv.indexOf(option)
  return at < 0 ? [] : (process.argv[at + 1] ?? '').split(',').filter(Boolean)
}

const at = (file: string) => path.join(PROJECT_ROOT, file)

/** Settings as tests have them; none of the host's. */
async function prepareEnvironment(): Promise<() => Promise<void>> {
  const folder = mkdtempSync(path.join(tmpdir(), 'tollgate-eval-data-'))
  for (const name of ['PUBLIC_URL', 'PORT', 'HOST', 'TRUST_PROXY']) delete process.env[name]
  await bundleThreads()
  const release = await startTestServer()
  const database = await makeTestDatabase()
  Object.assign(process.env, {
    DATABASE_URL: database.url,
    DATA_DIR: folder,
    AUTH_SECRET: 'a-secret-for-tests-only-0123456789',
    ENCRYPTION_KEY: '00'.repeat(32),
    UPSTREAMS: 'sandbox',
    SANDBOX_URL: `http://127.0.0.1:${await takePort()}`,
    OWNER_CONCURRENCY: '1000',
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'error',
  })
  return async () => {
    await database.drop()
    await release()
    await releasePorts()
    rmSync(folder, { recursive: true, force: true })
  }
}

function chosenGoals(goals: readonly Goal[]): Goal[] {
  const words = valuesOf('--only')
  const chosen = goals.filter(({ id }) => words.length === 0 || words.some((word) => id.includes(word)))
  if (chosen.length === 0) throw new CliError(`No such goal. There are: ${goals.map(({ id }) => id).join(', ')}`)
  return chosen
}

/** Runs the goals with the models, some at a time. */
async function evaluate(): Promise<GoalResult[]> {
  // Loaded here: they read the environment.
  const [{ allGoals }, { startEvalWorld, scriptedModelId }, { runGoal }, { TEMPERAMENTS }] = await Promise.all([
    import('./goals/all'),
    import('./world'),
    import('./run-goal'),
    import('./models/temperament'),
  ])
  const [{ closeDb }, { closeQueue }, { findLedgerDifferences }] = await Promise.all([
    import('../../server/db'),
    import('../../server/agent/queue/connection'),
    import('../../server/credits/verify'),
  ])
  const goals = chosenGoals(allGoals)
  const real = readRealModel(process.env)
  const world = await startEvalWorld(goals, real)
  const wanted = valuesOf('--model')
  const models = [
    ...TEMPERAMENTS.map(({ name }) => ({ name, id: (goal: Goal) => scriptedModelId(name, goal.isSmallContext) })),
    ...(real ? [{ name: 'real', id: () => real.id }] : []),
  ]
  const tasks = models
    .filter(({ name }) => wanted.length === 0 || wanted.includes(name))
    .flatMap(({ name, id }) =>
      goals
        .filter((goal) =>
          name === 'real' ? !goal.isScriptedOnly && !goal.isHabit : (goal.isHabit === true) === (name === 'weak'),
        )
        .map((goal) => ({ goal, model: id(goal) })),
    )
  const results: GoalResult[] = []
  let next = 0
  const work = async () => {
    for (let task = tasks[next++]; task; task = tasks[next++]) {
      const result = await runGoal(world, task.goal, task.model)
      results.push(result)
      for (const line of evalComplaints([result])) say(line)
      if (process.argv.includes('--steps')) say(result.trace.join('\n'))
    }
  }
  try {
    await Promise.all(Array.from({ length: CONCURRENCY }, work))
    const differences = await findLedgerDifferences()
    if (differences.length > 0) throw new Error(`the ledger does not agree: ${JSON.stringify(differences)}`)
  } finally {
    await world.stop()
    await closeQueue()
    await closeDb()
  }
  const order = (goal: string) => goals.findIndex(({ id }) => id === goal)
  return results.sort((a, b) => order(a.goal) - order(b.goal) || a.model.localeCompare(b.model))
}

const readResults = (): KeptResult[] =>
  existsSync(at(FILES.before))
    ? readFileSync(at(FILES.before), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as KeptResult)
    : []

const writeResults = (results: readonly GoalResult[]): void =>
  writeFileSync(
    at(FILES.before),
    `${results.map(({ trace: _trace, ...result }) => JSON.stringify(result)).join('\n')}\n`,
  )

await runMain(async () => {
  const startedAt = Date.now()
  const cleanUp = await prepareEnvironment()
  const results = await evaluate().finally(cleanUp)
  const before = readResults()
  const complaints = evalComplaints(results)
  const list = complaints.length > 0 ? `\n\nNot met:\n\n${complaints.map((line) => `- ${line}`).join('\n')}` : ''
  const report = `${evalTable(results, before)}${list}\n`
  say(`\n${report}`)
  say(`${results.length} runs in ${((Date.now() - startedAt) / 1_000).toFixed(0)} s.`)
  if (process.argv.includes('--before')) writeResults(results)
  if (process.argv.includes('--write')) writeFileSync(at(FILES.results), `${HEADING}\n${report}`)
  return complaints.length > 0 ? 1 : 0
})
