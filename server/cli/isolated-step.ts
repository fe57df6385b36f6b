// One step of a run in a process of its own: a step that stalled a process before takes nobody with
// it this time. The one argument is the segment, as JSON. Signals are left to the worker that waits
// for this process.

import { z } from 'zod'
import { closeQueue } from '../agent/queue/connection'
import { runSegment } from '../agent/run/segment'
import { startLeaseRenewal } from '../credits/holder'
import { settlePending } from '../credits/pending-settlements'
import { closeDb } from '../db'
import { checkEnv } from '../env'
import { log } from '../kit/log'
import { closeParsers } from '../kit/threads/pool'
import { checkModels } from '../models/registry'
import { loadTokenizer } from '../models/tokens'
import { toolSettings } from '../tools/settings'
import { closeChromium } from '../tools/web/chromium'
import { startProcessWatchdog } from './web/process-watchdog'

/**
 * How long settlements are waited for that the database does not take, milliseconds. The journal
 * keeps the rest.
 */
const SETTLE_MS = 10_000

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {})
const stopWatchdog = startProcessWatchdog(checkEnv(toolSettings))
checkModels()
const segment = z.object({ jobId: z.uuid(), runId: z.uuid() }).parse(JSON.parse(process.argv[2] ?? '{}'))
const stopLease = startLeaseRenewal()
await loadTokenizer()
const isDone = await runSegment(segment, AbortSignal.abort()).then(
  () => true,
  (error: Error) => {
    log.error({ job: segment.jobId, err: error.stack }, 'an isolated step broke off')
    return false
  },
)
await settlePending(SETTLE_MS)
stopLease()
await Promise.allSettled([closeChromium(), closeParsers(), stopWatchdog(), closeQueue(), closeDb()])
process.exit(isDone ? 0 : 1)
