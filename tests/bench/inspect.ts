import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** What a process takes: bytes, open files and sockets, and what keeps its event loop busy. */
export type ProcessSample = { rss: number; heapUsed: number; external: number; files: number; handles: number }

/** Another Node process, seen through its inspector. */
export type InspectedProcess = {
  /** What it takes now; `collected`: after what nobody refers to was freed. */
  sample: (collected?: boolean) => Promise<ProcessSample>
  close: () => void
}

const PATIENCE_MS = 10_000

async function inspectorUrl(port: number): Promise<string> {
  const until = Date.now() + PATIENCE_MS
  for (;;) {
    try {
      const [target] = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as {
        webSocketDebuggerUrl: string
      }[]
      if (target) return target.webSocketDebuggerUrl
    } catch (error) {
      if (Date.now() > until) throw error
    }
    await sleep(50)
  }
}

const MEASURE = `(() => {
  const { rss, heapUsed, external } = process.memoryUsage()
  return JSON.stringify({ rss, heapUsed, external, handles: process.getActiveResourcesInfo().length })
})()`

/**
 * Opens the inspector of a process that was started with `NODE_OPTIONS=--inspect-port=<port>`, by
 * the signal that Node listens to.
 */
export async function inspectProcess(pid: number, port: number): Promise<InspectedProcess> {
  process.kill(pid, 'SIGUSR1')
  const socket = new WebSocket(await inspectorUrl(port))
  await once(socket, 'open')
  const waiting = new Map<number, (result: unknown) => void>()
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id: number; result: unknown }
    waiting.get(id)?.(result)
    waiting.delete(id)
  })
  let last = 0
  const send = (method: string, params: object = {}): Promise<unknown> => {
    const id = ++last
    const { promise, resolve } = Promise.withResolvers<unknown>()
    waiting.set(id, resolve)
    socket.send(JSON.stringify({ id, method, params }))
    return promise
  }
  const sample = async (collected = false) => {
    if (collected) await send('HeapProfiler.collectGarbage')
    const answer = (await send('Runtime.evaluate', { expression: MEASURE })) as { result: { value: string } }
    return { ...JSON.parse(answer.result.value), files: readdirSync(`/proc/${pid}/fd`).length } as ProcessSample
  }
  return { sample, close: () => socket.close() }
}
