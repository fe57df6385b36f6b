import { failedTests } from './failed-tests.mjs'
import { at, ourEnv } from './root.mjs'
import { run } from './steps.mjs'

/**
 * One thing that must hold. It starts when the steps in `needs` have passed and those in `after`
 * have ended; its output is shown as it comes, with `isLate` when it has ended, and with `isQuiet`
 * only when it fails, so that it may run beside another.
 * @typedef {{ name: string, needs?: string[], after?: string[], isLate?: boolean, isQuiet?: boolean, work: (how?: RunOptions) => Promise<unknown> }} TestStep
 * @typedef {{ shown?: boolean }} RunOptions
 * @typedef {{ name: string, outcome: 'passed' | 'FAILED' | 'not run', ms: number, why?: string }} StepResult
 */

/** Lines of a failed step's output that are shown again at the end. */
const TAIL_LINES = 80

/**
 * A tool of the project as a step's work.
 * @param {string} tool
 * @param {...string} args
 * @returns {TestStep['work']}
 */
export const tool =
  (tool, ...args) =>
  (how) =>
    run(tool, args, { ...how, env: ourEnv(), cwd: at() })

/** @param {string} project @param {...string} args */
export const vitest = (project, ...args) => tool('vitest', 'run', '--project', project, '--silent=passed-only', ...args)

/** @type {TestStep[]} */
export const CHECKS = [
  { name: 'lint', work: tool('npm', 'run', '--silent', 'lint'), isQuiet: true },
  { name: 'types', work: tool('npm', 'run', '--silent', 'typecheck'), isQuiet: true },
  { name: 'pure', work: vitest('pure') },
]

/**
 * Runs steps, each as soon as it may. One that fails stops only those that need it.
 * @param {TestStep[]} steps
 * @returns {Promise<boolean>} true when every step passed
 */
export async function runTestSteps(steps) {
  const since = Date.now()
  /** @type {Map<string, Promise<StepResult>>} */
  const started = new Map()
  for (const step of steps) started.set(step.name, runStep(step, started))
  const results = await Promise.all(started.values())
  for (const { name, why } of results) {
    if (why) process.stdout.write(`\n== the end of ${name}, which failed\n${lastLines(why)}\n`)
  }
  // Again after all ends, since who reads a log from its end meets the last step's end alone.
  for (const { name, why } of results) {
    for (const test of why ? failedTests(why) : []) process.stdout.write(`\n${name}: ${test}\n`)
  }
  process.stdout.write('\n')
  for (const result of results) process.stdout.write(`${lineOf(result)}\n`)
  process.stdout.write(`${lineOf({ name: 'all', outcome: outcomeOf(results), ms: Date.now() - since })}\n`)
  return outcomeOf(results) === 'passed'
}

/**
 * @param {TestStep} step
 * @param {Map<string, Promise<StepResult>>} started those of the steps before it
 * @returns {Promise<StepResult>}
 */
async function runStep({ name, needs = [], after = [], isLate = false, isQuiet = false, work }, started) {
  const needed = await Promise.all(needs.map((other) => started.get(other)))
  await Promise.all(after.map((other) => started.get(other)))
  if (needed.some((result) => result?.outcome !== 'passed')) return { name, outcome: 'not run', ms: 0 }
  const since = Date.now()
  process.stdout.write(`\n== ${name}\n`)
  try {
    const output = await work({ shown: !isQuiet && !isLate })
    if (isLate) process.stdout.write(`\n== what ${name} printed\n${output}\n`)
    return report({ name, outcome: 'passed', ms: Date.now() - since })
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    if (isLate) process.stdout.write(`\n== the end of what ${name} printed\n${why}\n`)
    return report({ name, outcome: 'FAILED', ms: Date.now() - since, why })
  }
}

/** @param {StepResult} result */
function report(result) {
  process.stdout.write(`== ${lineOf(result)}\n`)
  return result
}

/** @param {string} text */
const lastLines = (text) => text.split('\n').slice(-TAIL_LINES).join('\n')

/** @param {StepResult[]} results */
const outcomeOf = (results) => (results.every(({ outcome }) => outcome === 'passed') ? 'passed' : 'FAILED')

/** @param {StepResult} result */
const lineOf = ({ name, outcome, ms }) =>
  `${name.padEnd(12)}${outcome.padEnd(8)}${(ms / 1000).toFixed(1).padStart(7)} s`
