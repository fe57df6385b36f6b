// The production web process: our server over the doors and Next.
import next from 'next'
import { closeQueue } from '../agent/queue'
import { keepLease } from '../credits/holder'
import { keepSweeping } from '../credits/sweep'
import { replayJournals, settleWaiting } from '../credits/unsettled'
import { closeDb } from '../db'
import { checkEnv } from '../env'
import { log } from '../kit/log'
import { closeParsers } from '../kit/threads/pool'
import { checkModels } from '../models/registry'
import { warmTokenizer } from '../models/tokens'
import { allTools, groups } from '../tools/registry'
import { closeChromium } from '../tools/web/chromium'
import { keepRetention } from './retention'
import { stopSignal, whenAborted } from './stop-signal'
import { needDatabase } from './web/database'
import { drain } from './web/drain'
import { type InFlight, makeServer } from './web/listen'
import { trackResponses } from './web/open-responses'
import { withDatabaseStatus } from './web/page-status'
import { startSandbox } from './web/sandbox'
import { watchProcess } from './web/watch-process'

/** How long a clean stop waits for settlements that the database does not take, milliseconds. The journal keeps the rest. */
const SETTLE_MS = 30_000

const env = checkEnv()
checkModels()
await needDatabase(env.DATABASE_URL)

const sandbox = await startSandbox(env)
// Where Next finds this server: a form that redirects has it fetch the page it leads to.
const app = next({ dev: false, port: env.PORT, hostname: env.HOST ?? 'localhost' })
await app.prepare()
const inFlight: InFlight = { count: 0 }
const server = makeServer(withDatabaseStatus(app.getRequestHandler()), inFlight)
const open = trackResponses(server)
const stopLease = keepLease()
const stopWatchdog = watchProcess(env)
await replayJournals()
const stopSweeping = keepSweeping()
const stopRetention = keepRetention()

// The first chat must not wait for the tokenizer's table.
void warmTokenizer()

server.on('error', (error: NodeJS.ErrnoException) => {
  const why =
    error.code === 'EADDRINUSE'
      ? `Port ${env.PORT} is taken: set PORT to a free one.`
      : error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND'
        ? `HOST is not an address of this machine: ${env.HOST}.`
        : error.message
  process.stderr.write(`${why}\n`)
  sandbox?.kill()
  process.exit(1)
})
server.listen({ port: env.PORT, host: env.HOST }, () => {
  const off = groups.flatMap((group) => group.tools).filter((tool) => !tool.available())
  log.info(
    { host: env.HOST, port: env.PORT, url: env.PUBLIC_URL, tools: allTools().length, off: off.map((tool) => tool.id) },
    'listening',
  )
})

const { asked, hurry } = stopSignal()
void asked.then(async (why) => {
  log.info({ why }, 'web stops')
  const clean = await drain({ server, inFlight, open, delayMs: env.DRAIN_DELAY_S * 1_000, hurry })
  stopSweeping()
  stopRetention()
  await Promise.race([settleWaiting(SETTLE_MS), whenAborted(hurry)])
  stopLease()
  await Promise.allSettled([closeChromium(), closeParsers(), stopWatchdog(), app.close(), closeQueue(), closeDb()])
  sandbox?.kill()
  process.exit(clean ? 0 : 1)
})
process.on('unhandledRejection', (error) =>
  log.error({ err: error instanceof Error ? error.stack : error }, 'unhandled'),
)
