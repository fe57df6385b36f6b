import { inThread } from '../../../kit/thread'
import { HOME, type PodDriver, type PodOutcome, SYSTEM_FOLDERS } from './driver'
import type { PodJob } from './pod-thread'
import { inSlot } from './slots'

const MIB = 1024 * 1024

/** Characters of each output stream that are kept. */
export const MOST_OUTPUT = 64 * 1024

/** Bytes that a command's files may have while it runs; what is kept afterwards has a smaller limit. */
const MOST_LIVE_BYTES = 64 * MIB

const THREAD = { name: 'pod-thread', source: 'agent/tools/pod/pod-thread.ts' }

/**
 * The embedded driver: bash and its tools written in JavaScript, over files in memory, each command in a thread of its
 * own that has no environment, a heap of a bounded size, and is ended when its time is over.
 */
export const justBash: PodDriver = {
  exec: async (command, { files, cwd, timeoutMs, signal }) => {
    const job: PodJob = {
      ...{ command, files, cwd, home: HOME, system: SYSTEM_FOLDERS },
      ...{ maxBytes: MOST_LIVE_BYTES, maxOutput: MOST_OUTPUT },
    }
    const bounds = { timeoutMs, heapMb: 256, signal }
    const ran = await inSlot(() => inThread<PodOutcome>(THREAD, job, bounds), signal)
    const stopped = (exitCode: number, why: string): PodOutcome => {
      return { stdout: '', stderr: `${why} Nothing was kept.`, exitCode, files, cwd }
    }
    switch (ran.kind) {
      case 'done':
        return ran.value
      case 'late':
        return stopped(124, `The command was stopped after ${timeoutMs / 1000} s.`)
      case 'too_large':
        return stopped(137, 'The command needed too much memory and was stopped.')
      case 'failed':
        return stopped(1, `The shell failed: ${ran.message}.`)
      default:
        return ran satisfies never
    }
  },
}
