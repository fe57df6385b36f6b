// Runs one step in a separate process, because the step stalled a process before. The argument is
// the run reference as JSON; stdin has the models of the worker, or nothing. Signals are ignored:
// the worker handles them, and waits for this process.

import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { runSegment } from '../agent/run/segment'
import { readDatabaseId } from '../credits/database-id'
import { startLeaseRenewal } from '../credits/holder'
import { settlePending } from '../credits/pending-settlements'
import { checkEnv } from '../env'
import { errorStack } from '../kit/error-stack'
import { log } from '../kit/log'
import { checkModels, provideModels } from '../models/registry'
import { loadTokenizer } from '../models/tokens'
import { toolSettings } from '../tools/settings'
import { closeProcess } from './kit/close-all'
import { startTracing } from './tracing/tracing'
import { startProcessWatchdog } from './watchdog/process-watchdog'

/**
 * Milliseconds to wait for settlements that the database does not accept. The journal keeps the
 * rest.
 */
const SETTLE_MS = 10_000

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {})
const env = checkEnv(toolSettings)
const models = await text(process.stdin)
if (models) provideModels(models)
const stopWatchdog = startProcessWatchdog(env)
checkModels()
const ref = z.object({ jobId: z.uuid(), runId: z.uuid() }).parse(JSON.parse(process.argv[2] ?? '{}'))
const stopLease = startLeaseRenewal()
const stopTracing = await startTracing(env, 'worker')
await loadTokenizer()
await readDatabaseId().catch(() => null)
const isDone = await runSegment(ref, AbortSignal.abort()).then(
  () => true,
  (error: Error) => {
    log.error({ job: ref.jobId, err: errorStack(error) }, 'an isolated step failed')
    return false
  },
)
await settlePending(SETTLE_MS)
stopLease()
await closeProcess({ watchdog: stopWatchdog, tracing: stopTracing })
process.exit(isDone ? 0 : 1)
