// npm test: everything that must hold, from a fresh clone on. A step that fails hides no other: all
// that can run does.
import { build, buildEntries } from './setup/build.mjs'
import { ensureHeadlessShell, withoutChromium } from './setup/chromium.mjs'
import { install } from './setup/install.mjs'
import { ensureMachine } from './setup/machine.mjs'
import { command, Stop, stopOnSignals } from './setup/steps.mjs'
import { CHECKS, runTestSteps, tool, vitest } from './setup/test-steps.mjs'

/**
 * Two of the three long steps run at any time: tests with a database beside those with processes,
 * and those with a browser in the place of the former, which end first.
 * @type {import('./setup/test-steps.mjs').TestStep[]}
 */
const STEPS = [
  // Before anything runs from dist/: bundling empties it.
  { name: 'bundle', isQuiet: true, work: () => buildEntries() },
  ...CHECKS.map((step) => (step.name === 'pure' ? { ...step, after: ['bundle'] } : step)),
  // Both write the types of routes.
  { name: 'build', needs: ['bundle'], after: ['types'], isQuiet: true, work: () => build() },
  { name: 'processes', needs: ['build'], after: ['pure'], work: vitest('processes', '--maxWorkers=3') },
  { name: 'database', after: ['pure'], isLate: true, work: vitest('database', '--maxWorkers=3') },
  { name: 'browser', needs: ['build'], after: ['database'], isLate: true, work: tool('playwright', 'test') },
]

stopOnSignals()
await command(async () => {
  await install()
  // Who names a Chromium wants the tests to use that one.
  if (!process.env.CHROMIUM_PATH) await ensureHeadlessShell()
  const chromium = await ensureMachine()
  if (!chromium) throw new Stop(withoutChromium('The tests need a Chromium'))
  process.env.CHROMIUM_PATH = chromium
  return (await runTestSteps(STEPS)) ? 0 : 1
})
