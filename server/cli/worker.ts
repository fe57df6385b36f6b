// The worker process: agent runs, and the sweeping that no request waits for.
import { closeQueue } from '../agent/queue'
import { startWorking } from '../agent/work'
import { keepLease } from '../credits/holder'
import { keepSweeping } from '../credits/sweep'
import { replayJournals, settleWaiting } from '../credits/unsettled'
import { closeDb } from '../db'
import { checkEnv } from '../env'
import { log } from '../kit/log'
import { checkModels } from '../models/registry'
import { warmTokenizer } from '../models/tokens'
import { closeChromium } from '../tools/web/chromium'
import { needDatabase } from './web/database'

/** How long a clean stop waits for settlements that the database does not take, milliseconds. The journal keeps the rest. */
const SETTLE_MS = 30_000

const env = checkEnv()
checkModels()
await needDatabase(env.DATABASE_URL)
const stopLease = keepLease()
await replayJournals()
const stops = [stopLease, keepSweeping()]
await warmTokenizer()
const stopWorking = await startWorking()
// Both timers are unreferenced; this one keeps the process up.
const alive = setInterval(() => {}, 60_000)
log.info('worker started')

let stopping = false
async function stop(signal: NodeJS.Signals): Promise<void> {
  if (stopping) process.exit(1)
  stopping = true
  log.info({ signal }, 'worker stops')
  await stopWorking()
  await settleWaiting(SETTLE_MS)
  for (const end of stops) end()
  clearInterval(alive)
  await Promise.allSettled([closeChromium(), closeQueue(), closeDb()])
  process.exit(0)
}
process.on('SIGTERM', stop)
process.on('SIGINT', stop)
process.on('unhandledRejection', (error) =>
  log.error({ err: error instanceof Error ? error.stack : error }, 'unhandled'),
)
