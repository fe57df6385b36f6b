// npm test: everything that must hold, from a fresh clone on. A step that fails hides no other: all
// that can run does.
import { build, buildEntries } from './setup/build.mjs'
import { ensureChromium, withoutChromium } from './setup/chromium.mjs'
import { install } from './setup/install.mjs'
import { command, Stop, stopOnSignals } from './setup/steps.mjs'
import { CHECKS, runTestSteps, tool, vitest } from './setup/test-steps.mjs'

/**
 * Two at a time: tests of processes wait most of the time, so those with a database and then those
 * of the browser run beside them.
 * @type {import('./setup/test-steps.mjs').TestStep[]}
 */
const STEPS = [
  // Before anything runs from dist/: bundling empties it.
  { name: 'bundle', isQuiet: true, work: () => buildEntries() },
  ...CHECKS.map((step) => (step.name === 'pure' ? { ...step, after: ['bundle'] } : step)),
  // Both write the types of routes.
  { name: 'build', needs: ['bundle'], after: ['types'], isQuiet: true, work: () => build() },
  { name: 'processes', needs: ['build'], after: ['pure'], work: vitest('processes', '--maxWorkers=4') },
  { name: 'database', after: ['pure'], isLate: true, work: vitest('database', '--maxWorkers=3') },
  { name: 'browser', needs: ['build'], after: ['database'], work: tool('playwright', 'test') },
]

stopOnSignals()
await command(async () => {
  await install()
  const chromium = await ensureChromium()
  if (!chromium) throw new Stop(withoutChromium('The tests need a Chromium'))
  process.env.CHROMIUM_PATH = chromium
  return (await runTestSteps(STEPS)) ? 0 : 1
})
