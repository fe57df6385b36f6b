import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { PROJECT_ROOT } from '../../server/cli/kit/project'
import { SERVICE_OPTIONS } from '../../server/cli/setup/root.mjs'
import { pollUntil } from './poll-until'

/** A production worker process of a test, `dist/worker.js`. */
export type WorkerProcess = {
  child: ChildProcess
  log: () => string
  /** Resolves when it receives runs. */
  ready: Promise<void>
  kill: (signal: NodeJS.Signals) => Promise<number | null>
}

/** Starts a production worker process on the test's database. */
export function startWorkerProcess(env: Record<string, string> = {}): WorkerProcess {
  const entry = path.join(PROJECT_ROOT, 'dist', 'worker.js')
  if (!existsSync(entry)) throw new Error('Run npm run build first: this test starts the production worker.')
  const child = spawn(process.execPath, [...SERVICE_OPTIONS, entry], {
    cwd: PROJECT_ROOT,
    env: { ...process.env, NODE_ENV: 'production', LOG_LEVEL: 'info', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (data) => {
      output += data
    })
  }
  const isOver = () => child.exitCode !== null || child.signalCode !== null
  const kill = async (signal: NodeJS.Signals) => {
    if (!isOver()) {
      const exit = once(child, 'exit')
      child.kill(signal)
      await exit
    }
    return child.exitCode
  }
  const ready = pollUntil('a worker', () => output.includes('worker started') || isOver()).then(() => undefined)
  return { child, log: () => output, ready, kill }
}
