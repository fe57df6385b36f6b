// The production web process: our server over the doors and Next.
import next from 'next'
import { closeQueue } from '../agent/queue/send'
import { startLeaseRenewal } from '../credits/holder'
import { replayJournals, settlePending } from '../credits/pending-settlements'
import { startSweeping } from '../credits/sweep'
import { closeDb } from '../db'
import { checkEnv } from '../env'
import { log } from '../kit/log'
import { closeParsers } from '../kit/threads/pool'
import { checkModels } from '../models/registry'
import { loadTokenizer } from '../models/tokens'
import { availableTools, toolGroups } from '../tools/registry'
import { closeChromium } from '../tools/web/chromium'
import { startRetention } from './retention'
import { listenForStop, waitForAbort } from './stop-signal'
import { drainServer } from './web/drain'
import { createHttpServer, type InFlight } from './web/http-server'
import { trackOpenResponses } from './web/open-responses'
import { startProcessWatchdog } from './web/process-watchdog'
import { requireDatabase } from './web/require-database'
import { startSandboxProcess } from './web/start-sandbox'

/** How long a clean stop waits for settlements that the database does not take, milliseconds. The journal keeps the rest. */
const SETTLE_MS = 30_000

const env = checkEnv()
checkModels()
await requireDatabase(env.DATABASE_URL)

const sandbox = await startSandboxProcess(env)
// Where Next finds this server: a form that redirects has it fetch the page it leads to.
const app = next({ dev: false, port: env.PORT, hostname: env.HOST ?? 'localhost' })
await app.prepare()
const inFlight: InFlight = { count: 0 }
const server = createHttpServer(app.getRequestHandler(), inFlight)
const open = trackOpenResponses(server)
const stopLease = startLeaseRenewal()
const stopWatchdog = startProcessWatchdog(env)
await replayJournals()
const stopSweeping = startSweeping()
const stopRetention = startRetention()

// The first chat must not wait for the tokenizer's table.
void loadTokenizer()

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
  const off = toolGroups.flatMap((group) => group.tools).filter((tool) => !tool.available())
  log.info(
    {
      host: env.HOST,
      port: env.PORT,
      url: env.PUBLIC_URL,
      tools: availableTools().length,
      off: off.map((tool) => tool.id),
    },
    'listening',
  )
})

const { asked, hurry } = listenForStop()
void asked.then(async (why) => {
  log.info({ why }, 'web stops')
  const clean = await drainServer({ server, inFlight, open, delayMs: env.DRAIN_DELAY_S * 1_000, hurry })
  stopSweeping()
  stopRetention()
  await Promise.race([settlePending(SETTLE_MS), waitForAbort(hurry)])
  stopLease()
  await Promise.allSettled([closeChromium(), closeParsers(), stopWatchdog(), app.close(), closeQueue(), closeDb()])
  sandbox?.kill()
  process.exit(clean ? 0 : 1)
})
process.on('unhandledRejection', (error) =>
  log.error({ err: error instanceof Error ? error.stack : error }, 'unhandled'),
)
