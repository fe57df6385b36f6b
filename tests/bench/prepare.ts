import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { bundleThreads } from '../../server/cli/bundle-threads.mjs'
import { findFreePort } from '../../server/cli/kit/ports'
import { makeTestDatabase, startTestServer } from '../support/database'
import { writeBenchModels } from './instant-model'

/**
 * Gives this process, and those that the bench starts, a database and settings. Returns what takes
 * them away.
 */
export async function prepareBench(): Promise<() => Promise<void>> {
  await bundleThreads()
  const releaseServer = await startTestServer({ isDurable: true })
  const database = await makeTestDatabase()
  const folder = mkdtempSync(path.join(tmpdir(), 'tollgate-bench-'))
  const sandboxUrl = `http://127.0.0.1:${await findFreePort()}`
  Object.assign(process.env, {
    DATABASE_URL: database.url,
    AUTH_SECRET: 'a-secret-for-tests-only-0123456789',
    ENCRYPTION_KEY: '00'.repeat(32),
    UPSTREAMS: 'sandbox',
    SANDBOX_URL: sandboxUrl,
    MODELS_FILE: await writeBenchModels(folder, sandboxUrl),
    DATA_DIR: folder,
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'error',
  })
  for (const name of ['PUBLIC_URL', 'PORT', 'SIGNUP', 'SIGNUP_CREDITS', 'TRUST_PROXY']) delete process.env[name]
  return async () => {
    await database.drop()
    rmSync(folder, { recursive: true, force: true })
    await releaseServer()
  }
}
