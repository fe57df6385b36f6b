import { mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { dataPath } from '../../server/cli/project'
import { env } from '../../server/env'
import { takePort } from '../support/ports'
import { type FaultyDatabase, startFaultyDatabase } from './database'
import type { RestartableCommand } from './npm-process'
import { startPageServer } from './page-server'
import type { TestedService } from './run-round'
import { startServices, type WebTarget } from './services'

/**
 * Two web processes, two workers, the simulated providers and a database, all of the production
 * build.
 */
export type Cluster = TestedService & {
  database: FaultyDatabase
  /** The process that faults hit, and its twin that they leave alone. */
  web: [WebTarget, WebTarget]
  worker: [RestartableCommand, RestartableCommand]
  sandbox: RestartableCommand
  stop: () => Promise<void>
}

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

  const services = await startServices({ folder, settings, webs: 2, workers: 2 }).catch(async (error) => {
    await page.stop()
    await database.remove()
    throw error
  })
  const stop = async () => {
    await services.stop()
    await page.stop()
    await database.remove()
  }
  const [web, twin] = services.web
  const [worker, otherWorker] = services.worker
  if (!web || !twin || !worker || !otherWorker) throw new Error('two of each were asked for')
  return {
    database,
    web: [web, twin],
    worker: [worker, otherWorker],
    sandbox: services.sandbox,
    urls: [web.url, twin.url],
    pageUrl: page.url,
    env: settings,
    stop,
  }
}
