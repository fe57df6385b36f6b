import { mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { dataPath } from '../../server/cli/project'
import { env } from '../../server/env'
import { takePort } from '../support/ports'
import { type FaultyDatabase, startFaultyDatabase } from './database'
import { makeRestartableCommand, type RestartableCommand } from './npm-process'
import { startPageServer } from './page-server'

/**
 * Two web processes, two workers, the simulated providers and a database, all of the production
 * build.
 */
export type Cluster = {
  database: FaultyDatabase
  /** The process that faults hit, and its twin that they leave alone. */
  web: [WebTarget, WebTarget]
  worker: [RestartableCommand, RestartableCommand]
  sandbox: RestartableCommand
  /** A page outside the product that `web_read_url` may read. */
  pageUrl: string
  /** The environment of every process, for commands of the operator. */
  env: Record<string, string>
  stop: () => Promise<void>
}

type WebTarget = RestartableCommand & { url: string }

const answers = (url: string): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
    (response) => response.ok,
    () => false,
  )

/**
 * Starts everything, with its files in `.data/<name>`. The environment of this process then names
 * the cluster's database, so that it can make owners.
 */
export async function startCluster(name: string): Promise<Cluster> {
  const folder = dataPath(name)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const database = await startFaultyDatabase(`${name}-pg`)
  const page = await startPageServer()
  const sandboxUrl = `http://127.0.0.1:${await takePort()}`
  const settings = {
    DATABASE_URL: database.url,
    AUTH_SECRET: 'a-secret-for-fault-tests-only-0123456789',
    ENCRYPTION_KEY: '00'.repeat(32),
    UPSTREAMS: 'sandbox',
    SANDBOX_URL: sandboxUrl,
    ALLOW_PRIVATE_HOSTS: new URL(page.url).host,
    STORAGE_URL: `file:${path.join(folder, 'files')}`,
    DATA_DIR: folder,
    DRAIN_DELAY_S: '3',
    LOG_LEVEL: 'info',
  }
  // This process loses its connections too, as expected.
  Object.assign(process.env, settings, { LOG_LEVEL: 'error' })
  Object.assign(env(), { DATABASE_URL: database.url })

  const logs = path.join(folder, 'logs')
  const makeWeb = async (name: string): Promise<WebTarget> => {
    const port = await takePort()
    const url = `http://127.0.0.1:${port}`
    const isReady = () => answers(`${url}/readyz`)
    return {
      url,
      ...makeRestartableCommand({
        name,
        logs,
        script: 'start',
        env: { ...settings, PORT: String(port), PUBLIC_URL: url },
        isReady,
      }),
    }
  }
  const makeWorker = (name: string) =>
    makeRestartableCommand({
      name,
      logs,
      script: 'worker',
      env: settings,
      isReady: async (log) => log.includes('worker started'),
    })

  const sandbox = makeRestartableCommand({
    name: 'sandbox',
    logs,
    script: 'sandbox',
    env: settings,
    isReady: () => answers(`${sandboxUrl}/healthz`),
  })
  const web: Cluster['web'] = [await makeWeb('web-1'), await makeWeb('web-2')]
  const worker: Cluster['worker'] = [makeWorker('worker-1'), makeWorker('worker-2')]
  const all = [sandbox, ...web, ...worker]
  const stop = async () => {
    for (const process of all) process.signal('SIGKILL')
    await Promise.all(all.map((process) => process.ended()))
    await page.stop()
    await database.remove()
  }
  try {
    await sandbox.start()
    await Promise.all([...web, ...worker].map((process) => process.start()))
  } catch (error) {
    await stop()
    throw error
  }
  return { database, web, worker, sandbox, pageUrl: page.url, env: settings, stop }
}
