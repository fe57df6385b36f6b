// npm run check: the inner loop. Lint, types and the tests that need neither a database nor a
// process.
import { command, stopOnSignals } from './setup/steps.mjs'
import { CHECKS, runTestSteps } from './setup/test-steps.mjs'

stopOnSignals()
await command(async () => ((await runTestSteps(CHECKS)) ? 0 : 1))
