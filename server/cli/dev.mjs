// npm run dev: everything from source, reloading as it changes.
import { ensureChromium, withoutChromium } from './setup/chromium.mjs'
import { handOver } from './setup/hand-over.mjs'
import { install } from './setup/install.mjs'
import { at } from './setup/root.mjs'
import { command, stopOnSignals } from './setup/steps.mjs'

await command(async () => {
  const letSignalsPass = stopOnSignals()
  await install()
  const chromium = await ensureChromium()
  if (!chromium) process.stderr.write(`${withoutChromium('Screenshots are off')}\n`)
  letSignalsPass()
  return handOver(['--import', 'tsx', at('server/cli/dev-run.ts')], chromium ? { CHROMIUM_PATH: chromium } : {})
})
