import { existsSync } from 'node:fs'
import path from 'node:path'
import { Worker } from 'node:worker_threads'

/** A thread's file: `name` where our processes are bundled, `source` (from `server/`) where they run from source. */
export type ThreadFile = { name: string; source: string }

export type ThreadBounds = {
  timeoutMs: number
  /** Heap of the thread, MiB. */
  heapMb: number
  /** Aborting it ends the thread; its reason is thrown. */
  signal?: AbortSignal
}

/** What a thread came to: its one message, or why there is none. */
export type ThreadOutcome<T> =
  | { kind: 'done'; value: T }
  | { kind: 'late' }
  | { kind: 'too_large' }
  | { kind: 'failed'; message: string }

/** A bundle has its threads' files beside it; run from source, Node strips the types, so such a file imports packages alone. */
function fileOf({ name, source }: ThreadFile): string {
  const places = [path.join(import.meta.dirname ?? '', `${name}.js`), path.resolve('dist', `${name}.js`)]
  const isSource = import.meta.filename?.endsWith('thread.ts')
  const bundled = isSource ? undefined : places.find((place) => existsSync(place))
  return bundled ?? (isSource ? path.join(import.meta.dirname, '..', source) : path.resolve('server', source))
}

/**
 * Runs one job in a thread of its own: without environment, with a heap of a bounded size, ended when its time is over.
 * The thread reads `workerData` and posts one message.
 */
export async function inThread<T>(
  file: ThreadFile,
  job: unknown,
  { timeoutMs, heapMb, signal }: ThreadBounds,
): Promise<ThreadOutcome<T>> {
  signal?.throwIfAborted()
  const worker = new Worker(fileOf(file), {
    workerData: job,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
    stdin: true,
    stdout: true,
    stderr: true,
  })
  let timer: NodeJS.Timeout | undefined
  let abort = () => {}
  try {
    return await new Promise<ThreadOutcome<T>>((resolve, reject) => {
      worker.once('message', (value: T) => resolve({ kind: 'done', value }))
      worker.once('error', (error: NodeJS.ErrnoException) =>
        resolve(
          error.code === 'ERR_WORKER_OUT_OF_MEMORY'
            ? { kind: 'too_large' }
            : { kind: 'failed', message: error.message.slice(0, 500) },
        ),
      )
      worker.once('exit', () => resolve({ kind: 'failed', message: 'it ended without an answer' }))
      timer = setTimeout(() => resolve({ kind: 'late' }), timeoutMs)
      abort = () => reject(signal?.reason)
      signal?.addEventListener('abort', abort, { once: true })
    })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
    await worker.terminate()
  }
}
