// A thread that does as its job says, for server/kit/thread.test.ts.
import { parentPort, workerData } from 'node:worker_threads'

const acts = {
  echo: () => parentPort.postMessage({ said: workerData.say, env: Object.keys(process.env).length }),
  spin: () => {
    for (;;);
  },
  fill: () => {
    const kept = []
    for (;;) kept.push(new Array(100_000).fill(kept.length))
  },
  fail: () => {
    throw new Error('on purpose')
  },
  end: () => process.exit(0),
}
acts[workerData.act]()
