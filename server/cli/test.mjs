// npm test: everything that must hold, from a fresh clone on, each step only when the one before it passed.
import { build } from './setup/build.mjs'
import { ensureChromium, withoutChromium } from './setup/chromium.mjs'
import { install } from './setup/install.mjs'
import { at, ourEnv } from './setup/root.mjs'
import { command, run, Stop, stopOnSignals } from './setup/steps.mjs'

/** @type {[string, string, ...string[]][]} */
const BEFORE_BUILD = [
  ['lint', 'biome', 'check', '--error-on-warnings', '.'],
  ['types of routes', 'next', 'typegen'],
  ['types', 'tsc', '--noEmit'],
  ['migrations', 'tsx', 'server/cli/migrate.ts', 'diff'],
  ['pure', 'vitest', 'run', '--project', 'pure', '--silent=passed-only'],
  ['database', 'vitest', 'run', '--project', 'database', '--silent=passed-only'],
]

/** These start the production processes. @type {[string, string, ...string[]][]} */
const AFTER_BUILD = [
  ['processes', 'vitest', 'run', '--project', 'processes', '--silent=passed-only'],
  ['end to end', 'playwright', 'test'],
]

/** @type {{ name: string, outcome: string, ms: number }[]} */
const done = []

/** @param {string} name @param {() => Promise<unknown>} work */
async function timed(name, work) {
  const since = Date.now()
  process.stdout.write(`\n== ${name}\n`)
  try {
    await work()
    done.push({ name, outcome: 'passed', ms: Date.now() - since })
  } catch (error) {
    done.push({ name, outcome: 'FAILED', ms: Date.now() - since })
    throw error
  }
}

/** @param {string} tool @param {string[]} args @param {Record<string, string>} [env] */
const runTool = (tool, args, env = {}) =>
  run(at('node_modules/.bin', tool), args, { env: { ...ourEnv(), ...env }, shown: true, cwd: at() })

function printTable() {
  process.stdout.write('\n')
  for (const { name, outcome, ms } of done) {
    process.stdout.write(`${name.padEnd(18)}${outcome.padEnd(8)}${(ms / 1000).toFixed(1).padStart(7)} s\n`)
  }
}

async function runAll() {
  await timed('install', install)
  const chromium = await ensureChromium()
  if (!chromium) throw new Stop(withoutChromium('The tests need a Chromium'))
  const env = { CHROMIUM_PATH: chromium }
  for (const [name, tool, ...args] of BEFORE_BUILD) await timed(name, () => runTool(tool, args, env))
  await timed('build', () => build())
  for (const [name, tool, ...args] of AFTER_BUILD) await timed(name, () => runTool(tool, args, env))
}

stopOnSignals()
await command(async () => {
  try {
    await runAll()
    return 0
  } finally {
    printTable()
  }
})
