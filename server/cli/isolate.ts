import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pLimit from 'p-limit'
import type { IsolateRun } from '../agent/run/segment'
import { markStalled } from '../agent/run/stalls'
import { prisma } from '../db'
import { log } from '../kit/log'

/** Such processes at a time in one worker: each weighs as much as a worker. */
const slots = pLimit(2)
/** No step takes this long; a process that does has stalled, and has no watchdog that says so. */
const MAX_MS = 15 * 60_000
/** A process that did not end well is not followed by another one at once. */
const PAUSE_MS = 1_000

/**
 * Runs a step in a process of its own, as `isolated-step` beside this process's entry. Throws when
 * that ended badly.
 */
export const isolateRun: IsolateRun = (segment) =>
  slots(async () => {
    const entry = path.parse(process.argv[1] ?? '')
    const file = path.join(entry.dir, `isolated-step${entry.ext}`)
    const child = spawn(process.execPath, [...process.execArgv, file, JSON.stringify(segment)], {
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    log.warn({ job: segment.jobId, childPid: child.pid }, 'a step that stalled a process runs in one of its own')
    const timer = setTimeout(() => {
      void endStalled(segment.jobId).finally(() => child.kill('SIGKILL'))
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
