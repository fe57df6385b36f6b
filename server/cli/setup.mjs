// npm run setup: from a fresh clone to settings for live use. Starts on whatever Node the machine
// has (18 or newer), with nothing installed, and goes on in setup-run.ts on the pinned Node.
import { install } from './setup/install.mjs'
import { at } from './setup/root.mjs'
import { runOnPinnedNode } from './setup/run-on-pinned-node.mjs'
import { command, stopOnSignals } from './setup/steps.mjs'

await command(async () => {
  const letSignalsPass = stopOnSignals()
  await install()
  letSignalsPass()
  return runOnPinnedNode(['--import', 'tsx', at('server/cli/setup-run.ts'), ...process.argv.slice(2)])
})
