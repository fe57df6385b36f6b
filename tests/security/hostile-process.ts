// A process that is given hostile inputs on stdin, for resources.process.test.ts: prints what each
// cost its main thread and its memory, one JSON line for each.
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { classifyStatement } from '../../server/agent-tools/data/classify-statement'
import { runDatasetTask } from '../../server/agent-tools/data/dataset-pool'
import { runPodCommand, runPodTask } from '../../server/agent-tools/pod/pod-pool'
import { webReadUrl } from '../../server/tools/web/web_read_url'

const [kind = '', site = ''] = process.argv.slice(2)
const inputs = JSON.parse(await text(process.stdin)) as string[]
const HOSTILE = { ownerId: 1 }
const POD = { packed: null, cwd: '/home/user' }
const MIB = 1024 * 1024
const TICK_MS = 5

let charged = false
const read = async (path: string, ownerId = HOSTILE.ownerId) => {
  const context = { signal: AbortSignal.timeout(120_000), onSent: () => {}, spent: () => {}, ownerId }
  const accepted = () => {
    charged ||= ownerId === HOSTILE.ownerId
  }
  return webReadUrl.run(webReadUrl.params.parse({ url: site + path }) as never, { ...context, onSent: accepted })
}

const query = (sql: string, ownerId = HOSTILE.ownerId) =>
  runDatasetTask(
    { kind: 'query', tables: [], sql, maxRows: 1_000, maxBytes: MIB, maxHeapBytes: 128 * MIB },
    { ownerId },
  )

const RUNS: Record<string, (input: string) => Promise<unknown>> = {
  page: (path) => read(path),
  pages: (path) => Promise.all(Array.from({ length: 6 }, () => read(path))),
  classify: (sql) => classifyStatement(sql, HOSTILE),
  query,
  queries: (sql) => Promise.all(Array.from({ length: 16 }, (_, i) => query(sql, 100 + (i % 4)))),
  script: (command) => runPodTask({ kind: 'analyze', command }, POD, HOSTILE),
  command: (command) => runPodCommand({ command, approved: true, timeoutMs: 5_000 }, POD, HOSTILE),
}

/**
 * The main thread's longest turn in CPU time, which a busy machine does not lengthen, and the most
 * memory.
 */
function measure() {
  const worst = { turnMs: 0, rss: 0 }
  let before = process.threadCpuUsage()
  const timer = setInterval(() => {
    const used = process.threadCpuUsage(before)
    before = process.threadCpuUsage()
    worst.turnMs = Math.max(worst.turnMs, (used.user + used.system) / 1_000)
    worst.rss = Math.max(worst.rss, process.memoryUsage.rss())
  }, TICK_MS)
  return { worst, stop: () => clearInterval(timer) }
}

// Everything is loaded, a thread has run and a browser has shown a page, before anything is
// measured: loading the browser's driver takes as long as the longest turn may, once in a process.
await read('/small', 2)
if (kind === 'page') await read('/by-script', 2)
await classifyStatement('select 1', { ownerId: 2 })
await sleep(200)
const idle = process.memoryUsage.rss()

/** Runs one input beside the calls of an unrelated owner. */
async function report(input: string) {
  charged = false
  const { worst, stop } = measure()
  let isOver = false
  let others = 0
  const unrelated = (async () => {
    do {
      await read('/small', 2)
      others++
      await sleep(20)
    } while (!isOver)
  })()
  const outcome = await RUNS[kind]?.(input).then(
    (value) => ({ value: JSON.stringify(value).slice(0, 300) }),
    (error: { code?: string; message: string }) => ({ code: error.code, message: error.message.slice(0, 300) }),
  )
  isOver = true
  await unrelated
  stop()
  const grownMb = Math.round((worst.rss - idle) / MIB)
  return { ...outcome, charged, turnMs: Math.round(worst.turnMs), grownMb, others }
}

for (const input of inputs) process.stdout.write(`${JSON.stringify(await report(input))}\n`)
process.exit(0)
