// A parser that does as its task says, for server/kit/threads/pool.test.ts.
import { parentPort } from 'node:worker_threads'

const acts = {
  echo: ({ say }) => ({ said: say, env: Object.keys(process.env).filter((name) => name !== 'NODE_COMPILE_CACHE') }),
  spin: () => {
    for (;;);
  },
  // Computes for a given CPU time, however long that takes on the clock.
  compute: ({ ms }) => {
    const start = process.threadCpuUsage()
    for (;;) {
      const { user, system } = process.threadCpuUsage(start)
      if (user + system > ms * 1000) return 'computed'
    }
  },
  sleep: ({ ms }) => new Promise((resolve) => setTimeout(resolve, ms, 'slept')),
  backtrack: () => /^(a+)+$/.test(`${'a'.repeat(60)}b`),
  fill: () => {
    const kept = []
    for (;;) kept.push(new Array(100_000).fill(kept.length))
  },
  fillBuffers: async () => {
    const kept = []
    for (;;) {
      kept.push(Buffer.alloc(8_000_000, 1))
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  },
  count: () => ++count,
  fail: () => {
    throw new Error('on purpose')
  },
  end: () => process.exit(0),
}
let count = 0
parentPort.on('message', async (task) => {
  try {
    parentPort.postMessage({ kind: 'done', value: await acts[task.act](task), usedBytes: 0 })
  } catch (error) {
    parentPort.postMessage({ kind: 'failed', message: error.message })
  }
})
parentPort.postMessage({ kind: 'ready' })
