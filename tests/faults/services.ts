import path from 'node:path'
import { takePort } from '../support/ports'
import { makeRestartableCommand, type RestartableCommand } from './npm-process'

export type WebTarget = RestartableCommand & { url: string }

/** The simulated providers, and web processes and workers of the production build. */
export type Services = {
  web: WebTarget[]
  worker: RestartableCommand[]
  sandbox: RestartableCommand
  stop: () => Promise<void>
}

type Wanted = {
  /** For the logs. */
  folder: string
  /** The environment of every process; SANDBOX_URL says where the simulated providers listen. */
  settings: Record<string, string> & { SANDBOX_URL: string }
  webs: number
  workers: number
  /** The settings of one process beside these, by its name. */
  settingsOf?: (name: string) => Record<string, string>
  /** Where each process is installed, asked at each of its starts; this checkout by default. */
  installed?: () => string
}

const answers = (url: string): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
    (response) => response.ok,
    () => false,
  )

/** Starts all of them with the commands that operators run, and waits until they serve. */
export async function startServices({ folder, settings, webs, workers, ...wanted }: Wanted): Promise<Services> {
  const { installed, settingsOf = () => ({}) } = wanted
  const logs = path.join(folder, 'logs')
  const makeWeb = async (name: string): Promise<WebTarget> => {
    const port = await takePort()
    const url = `http://127.0.0.1:${port}`
    const env = { PUBLIC_URL: url, ...settings, ...settingsOf(name), PORT: String(port) }
    const isReady = () => answers(`${url}/readyz`)
    return { url, ...makeRestartableCommand({ name, logs, script: 'start', env, installed, isReady }) }
  }
  const makeWorker = (name: string) => {
    const isReady = async (log: string) => log.includes('worker started')
    const env = { ...settings, ...settingsOf(name) }
    return makeRestartableCommand({ name, logs, script: 'worker', env, installed, isReady })
  }
  const isReady = () => answers(`${settings.SANDBOX_URL}/healthz`)
  const sandbox = makeRestartableCommand({
    name: 'sandbox',
    logs,
    script: 'sandbox',
    env: settings,
    installed,
    isReady,
  })
  const web: WebTarget[] = []
  for (let nth = 1; nth <= webs; nth++) web.push(await makeWeb(`web-${nth}`))
  const worker = Array.from({ length: workers }, (_, i) => makeWorker(`worker-${i + 1}`))
  const all = [sandbox, ...web, ...worker]
  const stop = async () => {
    for (const process of all) process.signal('SIGKILL')
    await Promise.all(all.map((process) => process.ended()))
  }
  try {
    await sandbox.start()
    await Promise.all([...web, ...worker].map((process) => process.start()))
  } catch (error) {
    await stop()
    throw error
  }
  return { web, worker, sandbox, stop }
}
