import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import type { ThreadMessage } from './parser'

/** Niceness of parser threads on Linux, where it is a thread's own: the main thread goes first. */
const NICENESS = 5

/** The thread's side: runs `handle` for every task that the pool sends, one after the other. */
export function serveParser<Input>(handle: (input: Input) => unknown): void {
  if (process.platform === 'linux') setPriority(NICENESS)
  const port = parentPort
  if (!port) throw new Error('A parser runs in a worker thread.')
  const post = (message: ThreadMessage) => port.postMessage(message)
  port.on('message', async (input: Input) => {
    try {
      const value = await handle(input)
      const { heapUsed, external } = process.memoryUsage()
      post({ kind: 'done', value, usedBytes: heapUsed + external })
    } catch (error) {
      post({ kind: 'failed', message: messageOf(error) })
    }
  })
  post({ kind: 'ready' })
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 500)
