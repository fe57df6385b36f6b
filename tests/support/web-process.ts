import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { PROJECT_ROOT } from '../../server/cli/kit/project'
import { SERVICE_OPTIONS } from '../../server/cli/setup/root.mjs'
import { pollUntil } from './poll-until'
import { takePort } from './ports'

/** One production web process of a test: the real `dist/web.js`, on a free port. */
export type WebProcess = {
  url: string
  child: ChildProcess
  log: () => string
  kill: (signal: NodeJS.Signals) => Promise<void>
}

/** Starts a production web process on this test run's database and waits until it is ready. */
export async function startWebProcess(env: Record<string, string> = {}): Promise<WebProcess> {
  const entry = path.join(PROJECT_ROOT, 'dist', 'web.js')
  if (!existsSync(entry)) throw new Error('Run npm run build first: this test starts the production server.')
  const port = await takePort()
  const child = spawn(process.execPath, [...SERVICE_OPTIONS, entry], {
    cwd: PROJECT_ROOT,
    env: { ...process.env, NODE_ENV: 'production', PORT: String(port), LOG_LEVEL: 'info', ...env },
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
    if (isOver()) return
    child.kill(signal)
    await once(child, 'exit')
  }
  const url = `http://127.0.0.1:${port}`
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      (r) => r.ok,
      () => false,
    )
  // Also where the test ends while it still starts.
  const killAtExit = () => child.kill('SIGKILL')
  process.once('exit', killAtExit)
  child.once('exit', () => process.off('exit', killAtExit))
  await pollUntil('a web process', async () => isOver() || (await isReady()))
  if (isOver()) throw new Error(`the web process ended:\n${output}`)
  return { url, child, log: () => output, kill }
}
