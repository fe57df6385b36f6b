import { existsSync } from 'node:fs'
import { getCompileCacheDir } from 'node:module'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { watchBudget } from './budget'
import type { Parser, ParserOutcome, ThreadMessage } from './parser'

/** What one task may use; the memory is the thread's, and set when it starts. */
type TaskBudget = Pick<Parser, 'cpuMs' | 'wallMs'> & { signal?: AbortSignal }

/** Loading a thread's modules is our own code's time, not the task's. */
const START_BUDGET: TaskBudget = { cpuMs: 20_000, wallMs: 60_000 }
const YOUNG_GENERATION_MB = 16
const STACK_MB = 4
/** A thread that keeps more of its memory than this share after a task is not used again. */
const KEPT_SHARE = 2 / 3
const MIB = 1024 * 1024

export type WorkerThread = {
  /**
   * Runs one task. Whatever ends it early (its budget, an error of the thread, the signal, whose
   * reason is thrown) ends the thread with it.
   */
  run: <T>(input: unknown, budget: TaskBudget) => Promise<ParserOutcome<T>>
  /** False: it ended, or holds too much memory to be used again. */
  isUsable: () => boolean
  end: () => Promise<void>
}

/**
 * The bundled entry, beside the bundle that runs or in `dist/` of the project (from source, and in
 * Next's bundle).
 */
export function threadPath(file: string): string {
  if (path.isAbsolute(file)) return file
  const places = [path.join(import.meta.dirname ?? '', `${file}.js`), path.resolve('dist', `${file}.js`)]
  const found = places.find((place) => existsSync(place))
  if (!found) throw new Error(`dist/${file}.js is missing: run npm run build.`)
  return found
}

/**
 * All that a thread has of our environment: where Node keeps compiled code, without which it would
 * compile its modules at each start.
 */
function threadEnv(): Record<string, string> {
  const compiled = getCompileCacheDir()
  return compiled ? { NODE_COMPILE_CACHE: path.dirname(compiled) } : {}
}

/** Starts a thread with bounded memory. */
export function startThread(parser: Parser): WorkerThread {
  const worker = new Worker(threadPath(parser.file), {
    name: parser.file,
    env: threadEnv(),
    execArgv: [],
    resourceLimits: {
      maxOldGenerationSizeMb: parser.memoryMb,
      maxYoungGenerationSizeMb: YOUNG_GENERATION_MB,
      stackSizeMb: STACK_MB,
    },
    stdin: true,
    stdout: true,
    stderr: true,
  })
  // Nobody reads what a package prints, and it must not pile up.
  worker.stdout.resume()
  worker.stderr.resume()
  let isUsable = true
  let onMessage: (message: ThreadMessage) => void = () => {}
  let onEnd: (outcome: ParserOutcome<never>) => void = () => {}
  worker.on('message', (message: ThreadMessage) => onMessage(message))
  worker.on('error', (error: NodeJS.ErrnoException) => {
    isUsable = false
    const isFull = error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    onEnd(isFull ? { kind: 'out_of_memory' } : { kind: 'failed', message: error.message.slice(0, 500) })
  })
  worker.on('exit', () => {
    isUsable = false
    onEnd({ kind: 'failed', message: 'the thread ended without a result' })
  })

  const end = async () => {
    isUsable = false
    await worker.terminate()
  }
  const next = <T>({ signal, ...budget }: TaskBudget): Promise<ParserOutcome<T> | { kind: 'ready' }> =>
    new Promise((resolve, reject) => {
      const abort = () => {
        isUsable = false
        finish()
        reject(signal?.reason)
      }
      const stopWatch = watchBudget(worker, { ...budget, memoryMb: parser.memoryMb }, (kind) => {
        isUsable = false
        onEnd({ kind })
      })
      const finish = () => {
        stopWatch()
        signal?.removeEventListener('abort', abort)
        onMessage = onEnd = () => {}
      }
      onEnd = (outcome) => {
        finish()
        resolve(outcome)
      }
      onMessage = (message) => {
        finish()
        if (message.kind === 'done' && message.usedBytes > parser.memoryMb * MIB * KEPT_SHARE) isUsable = false
        resolve(message as ParserOutcome<T> | { kind: 'ready' })
      }
      signal?.addEventListener('abort', abort, { once: true })
      if (signal?.aborted) abort()
    })
  const ready = next(START_BUDGET)

  return {
    isUsable: () => isUsable,
    end,
    run: async <T>(input: unknown, budget: TaskBudget) => {
      budget.signal?.throwIfAborted()
      worker.ref()
      try {
        const started = await ready
        if (started.kind !== 'ready') return started as ParserOutcome<T>
        budget.signal?.throwIfAborted()
        const outcome = next<T>(budget)
        worker.postMessage(input)
        return (await outcome) as ParserOutcome<T>
      } finally {
        if (isUsable) worker.unref()
        else await end()
      }
    },
  }
}
