// npm test: everything that must hold, from a fresh clone on. A step that fails hides no other: all
// that can run does.
import { build, buildEntries } from './setup/build.mjs'
import { ensureChromium, withoutChromium } from './setup/chromium.mjs'
import { install } from './setup/install.mjs'
import { command, Stop, stopOnSignals } from './setup/steps.mjs'
import { CHECKS, runTestSteps, tool, vitest } from './setup/test-steps.mjs'

/** @param {string} name */
const check = (name) => CHECKS.filter((step) => step.name === name)

/**
 * The tests with processes take longest and mostly wait, so they begin as soon as there is a build,
 * and all else runs beside them and gives way to them. Theirs is the output that is shown as it
 * comes.
 * @type {import('./setup/test-steps.mjs').TestStep[]}
 */
const STEPS = [
  // Before anything runs from dist/: bundling empties it.
  { name: 'bundle', isQuiet: true, work: () => buildEntries() },
  { name: 'build', needs: ['bundle'], isQuiet: true, work: () => build() },
  { name: 'processes', needs: ['build'], work: vitest('processes') },
  { name: 'browser', needs: ['build'], isQuiet: true, givesWay: true, work: tool('playwright', 'test') },
  ...check('lint').map((step) => ({ ...step, givesWay: true })),
  // The build writes the types of routes too.
  ...check('types').map((step) => ({ ...step, after: ['build', 'lint'], givesWay: true })),
  ...check('pure').map((step) => ({ ...step, after: ['types'], isQuiet: true, givesWay: true })),
  { name: 'database', after: ['pure'], isQuiet: true, givesWay: true, work: vitest('database') },
]

stopOnSignals()
await command(async () => {
  await install()
  const chromium = await ensureChromium()
  if (!chromium) throw new Stop(withoutChromium('The tests need a Chromium'))
  process.env.CHROMIUM_PATH = chromium
  return (await runTestSteps(STEPS)) ? 0 : 1
})
