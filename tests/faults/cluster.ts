import { mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { dataPath } from '../../server/cli/kit/project'
import { env } from '../../server/env'
import { type DatabaseProxy, startDatabaseProxy } from '../support/database-proxy'
import { takePort } from '../support/ports'
import { type FaultyDatabase, startFaultyDatabase } from './database'
import type { RestartableCommand } from './npm-process'
import { startPageServer } from './page-server'
import type { TestedService } from './run-round'
import { startServices, type WebTarget } from './services'

/**
 * Two or three web processes, two workers, the simulated providers and a database, all of the
 * production build.
 */
export type Cluster = TestedService & {
  database: FaultyDatabase
  /** The process that faults hit, its twin that they leave alone, and a third where asked for. */
  web: [WebTarget, WebTarget, ...WebTarget[]]
  worker: [RestartableCommand, RestartableCommand]
  sandbox: RestartableCommand
  /** The way of each process to the database. */
  links: { web: DatabaseProxy[]; worker: DatabaseProxy[] }
  stop: () => Promise<void>
}

/**
 * Starts everything, with its files in `.data/<name>`. The environment of this process then names
 * the cluster's database, so that it can make owners. A third web process has a data folder that no
 * other sees.
 */
export async function startCluster(name: string, webs: 2 | 3 = 2): Promise<Cluster> {
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

  const links = {
    web: await openLinks(webs, database.url),
    worker: await openLinks(2, database.url),
  }
  const end = async () => {
    await Promise.all([...links.web, ...links.worker].map((link) => link.close()))
    await page.stop()
    await database.remove()
  }
  const settingsOf = (process: string) => {
    const [kind, nth] = process.split('-') as ['web' | 'worker', string]
    const DATABASE_URL = links[kind][Number(nth) - 1]?.url ?? database.url
    return { DATABASE_URL, ...(process === 'web-3' && { DATA_DIR: path.join(folder, 'apart') }) }
  }
  const services = await startServices({ folder, settings, webs, workers: 2, settingsOf }).catch(async (error) => {
    await end()
    throw error
  })
  const stop = async () => {
    await services.stop()
    await end()
  }
  const [web, twin, ...more] = services.web
  const [worker, otherWorker] = services.worker
  if (!web || !twin || !worker || !otherWorker) throw new Error('two of each were asked for')
  return {
    database,
    web: [web, twin, ...more],
    links,
    worker: [worker, otherWorker],
    sandbox: services.sandbox,
    urls: services.web.map(({ url }) => url),
    pageUrl: page.url,
    env: settings,
    stop,
  }
}

const openLinks = (count: number, target: string): Promise<DatabaseProxy[]> =>
  Promise.all(Array.from({ length: count }, () => startDatabaseProxy(target)))
