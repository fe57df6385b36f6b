// npm run dev: everything from source, reloading as it changes.
import { withoutChromium } from './setup/chromium.mjs'
import { install } from './setup/install.mjs'
import { ensureMachine } from './setup/machine.mjs'
import { at } from './setup/root.mjs'
import { runOnPinnedNode } from './setup/run-on-pinned-node.mjs'
import { command, stopOnSignals } from './setup/steps.mjs'

await command(async () => {
  const letSignalsPass = stopOnSignals()
  await install()
  const chromium = await ensureMachine()
  if (!chromium) process.stderr.write(`${withoutChromium('Screenshots are off')}\n`)
  letSignalsPass()
  return runOnPinnedNode(['--import', 'tsx', at('server/cli/dev-run.ts')], chromium ? { CHROMIUM_PATH: chromium } : {})
})
