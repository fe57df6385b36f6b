// The worker process: agent runs, and the sweeping that no request waits for.
import { closeQueue } from '../agent/queue'
import { startWorking } from '../agent/work'
import { keepLease } from '../credits/holder'
import { keepSweeping } from '../credits/sweep'
import { replayJournals, settleWaiting } from '../credits/unsettled'
import { closeDb } from '../db'
import { checkEnv } from '../env'
import { log } from '../kit/log'
import { closeParsers } from '../kit/threads/pool'
import { checkModels } from '../models/registry'
import { warmTokenizer } from '../models/tokens'
import { closeChromium } from '../tools/web/chromium'
import { isolate } from './isolate'
import { keepRetention } from './retention'
import { stopSignal, whenAborted } from './stop-signal'
import { needDatabase } from './web/database'
import { watchProcess } from './web/watch-process'

/** How long a clean stop waits for settlements that the database does not take, milliseconds. The journal keeps the rest. */
const SETTLE_MS = 30_000

const env = checkEnv()
checkModels()
await needDatabase(env.DATABASE_URL)
const stopWatchdog = watchProcess(env)
const stopLease = keepLease()
await replayJournals()
const stops = [stopLease, keepSweeping(), keepRetention()]
await warmTokenizer()
const stopWorking = await startWorking(isolate)
// Both timers are unreferenced; this one keeps the process up.
const alive = setInterval(() => {}, 60_000)
log.info('worker started')

const { asked, hurry } = stopSignal()
void asked.then(async (why) => {
  log.info({ why }, 'worker stops')
  const clean = await Promise.race([stopWorking().then(() => true), whenAborted(hurry).then(() => false)])
  if (!clean) log.error('steps in progress are left to another worker')
  await Promise.race([settleWaiting(SETTLE_MS), whenAborted(hurry)])
  for (const end of stops) end()
  clearInterval(alive)
  await Promise.allSettled([closeChromium(), closeParsers(), stopWatchdog(), closeQueue(), closeDb()])
  process.exit(clean ? 0 : 1)
})
process.on('unhandledRejection', (error) =>
  log.error({ err: error instanceof Error ? error.stack : error }, 'unhandled'),
)
