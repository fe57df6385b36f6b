import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { bundleThreads } from '../../server/cli/bundle-threads.mjs'
import { findFreePort } from '../../server/cli/ports'
import { makeTestDatabase } from './database'

/** Gives a test run its own database and settings, and takes the database away at the end. */
export default async function setup(): Promise<() => Promise<void>> {
  await bundleThreads()
  const database = await makeTestDatabase()
  const data = mkdtempSync(path.join(tmpdir(), 'tollgate-test-'))
  Object.assign(process.env, {
    DATABASE_URL: database.url,
    AUTH_SECRET: 'a-secret-for-tests-only-0123456789',
    ENCRYPTION_KEY: '00'.repeat(32),
    UPSTREAMS: 'sandbox',
    SANDBOX_URL: `http://127.0.0.1:${await findFreePort()}`,
    DATA_DIR: data,
    // Many tests leave holds of one owner open: the ones about this limit set it.
    OWNER_CONCURRENCY: '100000',
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'error',
  })
  for (const name of ['PUBLIC_URL', 'PORT', 'SIGNUP', 'SIGNUP_CREDITS', 'TRUST_PROXY']) delete process.env[name]
  return async () => {
    await database.drop()
    rmSync(data, { recursive: true, force: true })
  }
}
