// The worker process: agent runs, sweeping and retention.

import { startWorker } from '../agent/queue/worker'
import { systemPython } from '../agent-tools/pod/system-python'
import { startLeaseRenewal } from '../credits/holder'
import { settlePending } from '../credits/pending-settlements'
import { replayJournals } from '../credits/replay-journals'
import { startSweeping } from '../credits/sweep'
import { checkEnv } from '../env'
import { errorStack } from '../kit/error-stack'
import { log } from '../kit/log'
import { printLine } from '../kit/print-line'
import { beginShutdown } from '../kit/shutdown'
import { checkModels } from '../models/registry'
import { loadTokenizer } from '../models/tokens'
import { startNotices } from '../notices/work'
import { startServiceGauges } from '../operators/service-gauges'
import { toolSettings } from '../tools/settings'
import { exitDone, joinLauncher, reportReady, surviveLauncher } from './cluster/child'
import { followSettings } from './cluster/follow-settings'
import { isolateRun } from './isolate'
import { closeProcess } from './kit/close-all'
import { measureProcess } from './kit/process-metrics'
import { startRetention } from './kit/retention'
import { listenForStop, waitForAbort } from './kit/stop-signal'
import { readVersion } from './migrations/version'
import { startTracing } from './tracing/tracing'
import { startProcessWatchdog } from './watchdog/process-watchdog'
import { requireDatabase } from './web/require-database'
import { requireFolders } from './web/require-folders'
import { openWorkerPort } from './worker-port'

/**
 * Milliseconds that a shutdown waits for settlements that the database does not accept. The journal
 * keeps the rest.
 */
const SETTLE_MS = 30_000

// Only to be compiled: server/cli/compile.mjs.
if (process.argv.includes('--compile')) process.exit(0)

const settings = await joinLauncher('worker')
const env = checkEnv(toolSettings)
measureProcess({ role: 'worker', ...readVersion(), folder: env.DATA_DIR })
startServiceGauges()
requireFolders(env)
checkModels()
await requireDatabase(env.DATABASE_URL)
const stopTracing = await startTracing(env, 'worker')
const stopWatchdog = startProcessWatchdog(env)
const stopLease = startLeaseRenewal()
await replayJournals({ isStart: true })
const stops = [stopLease, startSweeping(), startRetention(), startNotices()]
await Promise.all([loadTokenizer(), systemPython()])
await openWorkerPort(env).catch((error: Error) => {
  printLine(error.message)
  process.exit(1)
})
const stopWorking = await startWorker(isolateRun)
// The other timers are unreferenced. This one keeps the process alive.
const alive = setInterval(() => {}, 60_000)
log.info('worker started')

const { asked, hurry } = listenForStop()
surviveLauncher()
const following = followSettings('worker', settings)
void asked.then(async (why) => {
  log.info({ why }, 'worker stops')
  void following.then((stopFollowing) => stopFollowing())
  beginShutdown()
  const clean = await Promise.race([stopWorking().then(() => true), waitForAbort(hurry).then(() => false)])
  if (!clean) log.error('steps in progress go to another worker')
  await Promise.race([settlePending(SETTLE_MS), waitForAbort(hurry)])
  for (const end of stops) end()
  clearInterval(alive)
  await closeProcess({ watchdog: stopWatchdog, tracing: stopTracing })
  exitDone(clean ? 0 : 1)
})
process.on('unhandledRejection', (error) => log.error({ err: errorStack(error) }, 'unhandled'))
await following
reportReady()
