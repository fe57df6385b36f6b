// npm run build: the pages and the processes, whether they changed or not.
import { build } from './setup/build.mjs'
import { command, stopOnSignals } from './setup/steps.mjs'

stopOnSignals()
await command(async () => {
  await build({ force: true, shown: true })
  return 0
})
