// npm run quickstart: from a fresh clone to a running service. Starts on whatever Node the machine
// has (18 or newer), with nothing installed; when everything is there it goes on in
// quickstart-run.ts on the pinned Node.
import { build } from './setup/build.mjs'
import { withoutChromium } from './setup/chromium.mjs'
import { install } from './setup/install.mjs'
import { ensureMachine } from './setup/machine.mjs'
import { at, compileCache } from './setup/root.mjs'
import { runOnPinnedNode } from './setup/run-on-pinned-node.mjs'
import { command, stopOnSignals } from './setup/steps.mjs'

await command(async () => {
  const letSignalsPass = stopOnSignals()
  const installed = install()
  // Beside the rest: the system's packages wait for the network, which ours leave idle at times.
  const [chromium] = await Promise.all([ensureMachine(installed), installed.then(() => build())])
  if (!chromium) process.stderr.write(`${withoutChromium('Screenshots are off')}\n`)
  letSignalsPass()
  return runOnPinnedNode(['--enable-source-maps', at('dist/quickstart.js')], {
    NODE_COMPILE_CACHE: compileCache(),
    ...(chromium && { CHROMIUM_PATH: chromium }),
  })
})
