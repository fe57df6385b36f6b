import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { deployMigrations } from '../../server/cli/migrations/deploy'
import { env } from '../../server/env'
import { startPageServer } from '../faults/page-server'
import type { TestedService } from '../faults/run-round'
import { type Services, startServices, type WebTarget } from '../faults/services'
import { takePort } from '../support/ports'
import { queryOnce } from '../support/query-once'
import { startS3Server } from '../support/s3-server'
import type { CheckContext } from './check'

/** The built service as it runs on several machines, each with a data folder of its own. */
export type Layout = TestedService & { services: Services; storedKeys: () => string[]; leaveOut?: LeaveOut }

/**
 * Has the proxy send nothing to a web process before it is stopped, or to none but those that run
 * with null: for a proxy that does not check by itself.
 */
export type LeaveOut = (web: WebTarget | null) => Promise<void>

type Wanted = {
  databaseUrl: string
  webs: number
  workers: number
  settings?: Record<string, string>
}

/**
 * Migrates a database and starts web processes, workers, simulated providers and S3-compatible
 * storage over it. `urls` are those of the web processes. This process then uses the same database.
 */
export async function startLayout(context: CheckContext, { databaseUrl, webs, workers, settings }: Wanted) {
  const page = await startPageServer()
  context.onEnd(page.stop)
  const s3 = await startS3Server()
  context.onEnd(s3.stop)
  const folder = path.join(context.folder, 'tollgate')
  mkdirSync(folder)
  const shared = {
    DATABASE_URL: databaseUrl,
    AUTH_SECRET: 'a-secret-for-production-checks-only-01',
    ENCRYPTION_KEY: '00'.repeat(32),
    UPSTREAMS: 'sandbox',
    SANDBOX_URL: `http://127.0.0.1:${await takePort()}`,
    ALLOW_PRIVATE_HOSTS: new URL(page.url).host,
    STORAGE_URL: s3.storageUrl,
    DATA_DIR: folder,
    HOST: '127.0.0.1',
    DRAIN_DELAY_S: '5',
    WEB_CONCURRENCY: '1',
    WORKER_CONCURRENCY: '1',
    LOG_LEVEL: 'info',
    ...settings,
  }
  Object.assign(process.env, shared, { LOG_LEVEL: 'error' })
  Object.assign(env(), { DATABASE_URL: databaseUrl })
  await deployMigrations(databaseUrl)
  const services = await startServices({ folder, settings: shared, webs, workers })
  context.onEnd(services.stop)
  const layout: Layout = {
    services,
    urls: services.web.map(({ url }) => url),
    pageUrl: page.url,
    env: shared,
    database: { query: (sql, values) => queryOnce(databaseUrl, sql, values) },
    storedKeys: s3.keys,
  }
  return layout
}
