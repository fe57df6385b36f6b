// The worker process: background work that no request waits for.
import { keepLease } from '../credits/holder'
import { keepSweeping } from '../credits/sweep'
import { closeDb } from '../db'
import { checkEnv } from '../env'
import { log } from '../kit/log'
import { needDatabase } from './web/database'

const env = checkEnv()
await needDatabase(env.DATABASE_URL)
const stops = [keepLease(), keepSweeping()]
// Both timers are unreferenced; this one keeps the process up.
const alive = setInterval(() => {}, 60_000)
log.info('worker started')

async function stop(signal: NodeJS.Signals): Promise<void> {
  log.info({ signal }, 'worker stops')
  clearInterval(alive)
  for (const end of stops) end()
  await closeDb()
  process.exit(0)
}
process.once('SIGTERM', stop)
process.once('SIGINT', stop)
