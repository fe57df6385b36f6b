import type { Server } from 'node:http'
import { startLeaseRenewal } from '../../credits/holder'
import { settlePending } from '../../credits/pending-settlements'
import { replayJournals } from '../../credits/replay-journals'
import { endSlices } from '../../credits/slices'
import { startSweeping } from '../../credits/sweep'
import { checkEnv, type Env } from '../../env'
import { provideAppServer } from '../../http/app-server'
import { log } from '../../kit/log'
import { withTimeout } from '../../kit/with-timeout'
import { checkModels } from '../../models/registry'
import { startServiceGauges } from '../../operators/service-gauges'
import { flushRequests } from '../../request-log/count-requests'
import { flushRefusals } from '../../request-log/note-refusal'
import { availableTools, toolGroups } from '../../tools/registry'
import { toolSettings } from '../../tools/settings'
import { closeProcess } from '../kit/close-all'
import { measureProcess } from '../kit/process-metrics'
import { CliError } from '../kit/project'
import { startRetention } from '../kit/retention'
import { waitForAbort } from '../kit/stop-signal'
import { readVersion } from '../migrations/version'
import { startTracing } from '../tracing/tracing'
import { startProcessWatchdog } from '../watchdog/process-watchdog'
import { drainServer } from './drain'
import { createHttpServer, type InFlight, type UpgradeListener } from './http-server'
import { trackOpenResponses } from './open-responses'
import { requireDatabase } from './require-database'
import { requireFolders } from './require-folders'
import type { RequestListener } from './serve-page'
import { warmUp } from './warm-up'

/**
 * How long a clean stop waits for settlements that the database does not take, milliseconds. The
 * journal keeps the rest.
 */
const SETTLE_MS = 30_000

/** Next, as the server hands requests to it. */
export type Pages = { serve: RequestListener; onUpgrade?: UpgradeListener }

export type WebServer = {
  /**
   * Finishes the calls in progress, unless `hurry` aborts. Returns false when some were ended with
   * an error. `isReplaced`: another process has the same port, so this one leaves it at once.
   */
  stop: (hurry: AbortSignal, how?: { isReplaced: boolean }) => Promise<boolean>
}

/**
 * Starts the whole server of this process: API and pages on PORT, and the work that no request
 * waits for. `openPages` is called once `app/` can find the server. Throws a CliError when PORT or
 * HOST cannot be used.
 */
export async function startWebServer(openPages: (env: Env) => Promise<Pages>): Promise<WebServer> {
  const env = checkEnv(toolSettings)
  measureProcess({ role: 'web', ...readVersion(), folder: env.DATA_DIR })
  startServiceGauges()
  requireFolders(env)
  checkModels()
  await requireDatabase(env.DATABASE_URL)
  if (env.WARM_UP === 1) await warmUp()
  const stopTracing = await startTracing(env, 'web')
  provideAppServer()
  const [pages] = await Promise.all([openPages(env), replayJournals({ isStart: true })])
  const inFlight: InFlight = { count: 0 }
  const server = createHttpServer(pages.serve, inFlight, { onUpgrade: pages.onUpgrade })
  const open = trackOpenResponses(server)
  const stopWatchdog = startProcessWatchdog(env)
  const stopTimers = [startSweeping(), startRetention()]
  const stopLease = startLeaseRenewal()
  await listen(server, env)

  const stop = async (hurry: AbortSignal, { isReplaced } = { isReplaced: false }) => {
    const delayMs = env.DRAIN_DELAY_S * 1_000
    const isClean = await drainServer({ server, inFlight, open, delayMs, isReplaced, hurry })
    for (const end of stopTimers) end()
    const settled = [withTimeout(endSlices(), SETTLE_MS), settlePending(SETTLE_MS)]
    await Promise.race([Promise.all([...settled, flushRequests(), flushRefusals()]), waitForAbort(hurry)])
    stopLease()
    await closeProcess({ watchdog: stopWatchdog, tracing: stopTracing })
    return isClean
  }
  return { stop }
}

function listen(server: Server, { PORT: port, HOST: host, PUBLIC_URL: url }: Env): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') return reject(new CliError(`Port ${port} is taken: set PORT to a free one.`))
      const isWrongHost = error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND'
      reject(new CliError(isWrongHost ? `HOST is not an address of this machine: ${host}.` : error.message))
    })
    server.listen({ port, host }, () => {
      const off = toolGroups.flatMap((group) => group.tools).filter((tool) => !tool.available())
      log.info({ host, port, url, tools: availableTools().length, off: off.map((tool) => tool.id) }, 'listening')
      resolve()
    })
  })
}
