import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pLimit from 'p-limit'
import type { IsolateRun } from '../agent/run/segment'
import { markStalled } from '../agent/run/stalls'
import { prisma } from '../db'
import { log } from '../kit/log'
import { providedModels } from '../models/registry'

/** Concurrent isolated processes per worker: each needs as much memory as a worker. */
const slots = pLimit(2)
/** No step takes this long. A process that does has stalled without its watchdog noticing. */
const MAX_MS = 15 * 60_000
/** Delay after a process that failed. */
const PAUSE_MS = 1_000

/**
 * Runs a step in a separate process, the `isolated-step` beside this process's entry. Throws when
 * that process fails.
 */
export const isolateRun: IsolateRun = (ref) =>
  slots(async () => {
    const entry = path.parse(process.argv[1] ?? '')
    const file = path.join(entry.dir, `isolated-step${entry.ext}`)
    const child = spawn(process.execPath, [...process.execArgv, file, JSON.stringify(ref)], {
      stdio: ['pipe', 'inherit', 'inherit'],
    })
    child.stdin.on('error', () => {})
    child.stdin.end(providedModels() ?? '')
    log.warn({ job: ref.jobId, childPid: child.pid }, 'a step that stalled a process runs in a separate one')
    const timer = setTimeout(() => {
      void endStalled(ref.jobId).finally(() => child.kill('SIGKILL'))
    }, MAX_MS)
    try {
      const [code, signal] = await once(child, 'exit')
      if (code === 0) return
      await sleep(PAUSE_MS)
      throw new Error(`the process of an isolated step ended with ${signal ?? `exit code ${code}`}`)
    } finally {
      clearTimeout(timer)
    }
  })

async function endStalled(jobId: string): Promise<void> {
  const job = await prisma().job.findUnique({ where: { id: jobId }, select: { holderId: true } })
  if (job?.holderId) await markStalled(job.holderId)
}
