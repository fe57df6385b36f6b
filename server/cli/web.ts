// The production web process: our server over the doors and Next.
import next from 'next'
import { closeQueue } from '../agent/queue'
import { keepLease } from '../credits/holder'
import { keepSweeping } from '../credits/sweep'
import { replayJournals, settleWaiting } from '../credits/unsettled'
import { closeDb } from '../db'
import { checkEnv } from '../env'
import { log } from '../kit/log'
import { checkModels } from '../models/registry'
import { warmTokenizer } from '../models/tokens'
import { allTools, groups } from '../tools/registry'
import { closeChromium } from '../tools/web/chromium'
import { needDatabase } from './web/database'
import { drain } from './web/drain'
import { type InFlight, makeServer } from './web/listen'
import { startSandbox } from './web/sandbox'

/** How long a clean stop waits for settlements that the database does not take, milliseconds. The journal keeps the rest. */
const SETTLE_MS = 30_000

const env = checkEnv()
checkModels()
await needDatabase(env.DATABASE_URL)

const sandbox = await startSandbox(env)
const app = next({ dev: false })
await app.prepare()
const inFlight: InFlight = { count: 0 }
const server = makeServer(app.getRequestHandler(), inFlight)
const stopLease = keepLease()
await replayJournals()
const stopSweeping = keepSweeping()

// The first chat must not wait for the tokenizer's table.
void warmTokenizer()

server.on('error', (error: NodeJS.ErrnoException) => {
  const why = error.code === 'EADDRINUSE' ? `Port ${env.PORT} is taken: set PORT to a free one.` : error.message
  process.stderr.write(`${why}\n`)
  sandbox?.kill()
  process.exit(1)
})
server.listen(env.PORT, () => {
  const off = groups.flatMap((group) => group.tools).filter((tool) => !tool.available())
  log.info(
    { port: env.PORT, url: env.PUBLIC_URL, tools: allTools().length, off: off.map((tool) => tool.id) },
    'listening',
  )
})

let stopping = false
async function stop(signal: NodeJS.Signals): Promise<void> {
  if (stopping) process.exit(1)
  stopping = true
  log.info({ signal, calls: inFlight.count }, 'draining')
  const clean = await drain(server, inFlight)
  stopSweeping()
  await settleWaiting(SETTLE_MS)
  stopLease()
  await Promise.allSettled([closeChromium(), app.close(), closeQueue(), closeDb()])
  sandbox?.kill()
  process.exit(clean ? 0 : 1)
}
process.on('SIGTERM', stop)
process.on('SIGINT', stop)
process.on('unhandledRejection', (error) =>
  log.error({ err: error instanceof Error ? error.stack : error }, 'unhandled'),
)
