import { existsSync } from 'node:fs'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { once } from '../../../kit/once'
import { HOME, type PodDriver, type PodOutcome, SYSTEM_FOLDERS } from './driver'
import type { PodJob } from './worker'

const MIB = 1024 * 1024

/** Characters of each output stream that are kept. */
export const MOST_OUTPUT = 64 * 1024

/** Bytes that a command's files may have while it runs; what is kept afterwards has a smaller limit. */
const MOST_LIVE_BYTES = 64 * MIB

/** Commands that run at the same time in one process; others wait for their turn. */
const AT_ONCE = 4

const LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 }

/** Our processes are bundled with the thread's file beside them; run from source, Node strips the types itself. */
function entry(): string {
  const bundled = path.join(import.meta.dirname, 'pod-worker.js')
  return existsSync(bundled) ? bundled : path.join(import.meta.dirname, 'worker.ts')
}

/**
 * The embedded driver: bash and its tools written in JavaScript, over files in memory, each command in a thread of its
 * own that has no environment, a heap of a bounded size, and is ended when its time is over.
 */
export const justBash: PodDriver = {
  exec: async (command, { files, cwd, timeoutMs, signal }) => {
    const leave = await enter(signal)
    const stopped = (exitCode: number, stderr: string): PodOutcome => ({ stdout: '', stderr, exitCode, files, cwd })
    const job: PodJob = {
      command,
      files,
      cwd,
      home: HOME,
      system: SYSTEM_FOLDERS,
      maxBytes: MOST_LIVE_BYTES,
      maxOutput: MOST_OUTPUT,
    }
    try {
      return await inThread(job, { timeoutMs, signal, stopped })
    } finally {
      leave()
    }
  },
}

type Bounds = { timeoutMs: number; signal?: AbortSignal; stopped: (exitCode: number, stderr: string) => PodOutcome }

async function inThread(job: PodJob, { timeoutMs, signal, stopped }: Bounds): Promise<PodOutcome> {
  const worker = new Worker(entry(), {
    workerData: job,
    env: {},
    execArgv: [],
    resourceLimits: LIMITS,
    stdin: true,
    stdout: true,
    stderr: true,
  })
  let timer: NodeJS.Timeout | undefined
  let abort: () => void = () => {}
  try {
    return await new Promise<PodOutcome>((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', (error: NodeJS.ErrnoException) => resolve(stopped(...failureOf(error))))
      worker.once('exit', () => resolve(stopped(1, 'The shell ended without an answer. Nothing was kept.')))
      const late = `The command was stopped after ${timeoutMs / 1000} s. Nothing was kept.`
      timer = setTimeout(() => resolve(stopped(124, late)), timeoutMs)
      abort = () => reject(signal?.reason)
      signal?.addEventListener('abort', abort, { once: true })
      if (signal?.aborted) abort()
    })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
    await worker.terminate()
  }
}

const failureOf = (error: NodeJS.ErrnoException): [exitCode: number, stderr: string] =>
  error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? [137, 'The command needed too much memory and was stopped. Nothing was kept.']
    : [1, `The shell failed: ${error.message.slice(0, 500)}. Nothing was kept.`]

const slots = () => once('pod-slots', () => ({ taken: 0, waiting: [] as (() => void)[] }))

/** Waits for a free slot; gives back how to leave it. Throws the signal's reason when that aborts first. */
async function enter(signal?: AbortSignal): Promise<() => void> {
  const { waiting } = slots()
  if (slots().taken < AT_ONCE) slots().taken++
  else {
    await new Promise<void>((resolve, reject) => {
      waiting.push(resolve)
      const giveUp = () => {
        const at = waiting.indexOf(resolve)
        if (at >= 0) waiting.splice(at, 1)
        reject(signal?.reason)
      }
      signal?.addEventListener('abort', giveUp, { once: true })
    })
  }
  return () => {
    // A slot goes to the next in line without ever being free.
    const next = waiting.shift()
    if (next) next()
    else slots().taken--
  }
}
