import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { findFreePort } from '../../server/cli/kit/ports'
import { waitUntilServerReady } from '../../server/cli/wait-until-ready'
import { makeTestDatabase, startTestServer } from '../support/database'
import { requireBuild, startProduction } from '../support/production-build'

/** The production build with simulated providers, on a database of its own. */
export type ShotService = { url: string; stop: () => Promise<void> }

/**
 * Starts it, on the ports of the quickstart where they are free: they are in the images. The
 * environment of this process then names its database.
 */
export async function startShotService(): Promise<ShotService> {
  requireBuild()
  const releaseServer = await startTestServer()
  const database = await makeTestDatabase()
  const folder = mkdtempSync(path.join(tmpdir(), 'tollgate-shots-'))
  const port = String(await findFreePort(3000))
  const sandboxUrl = `http://127.0.0.1:${await findFreePort(4010)}`
  const url = `http://localhost:${port}`
  Object.assign(process.env, {
    DATABASE_URL: database.url,
    AUTH_SECRET: 'a-secret-for-tests-only-0123456789',
    ENCRYPTION_KEY: '00'.repeat(32),
    UPSTREAMS: 'sandbox',
    SANDBOX_URL: sandboxUrl,
    PORT: port,
    PUBLIC_URL: url,
    DATA_DIR: folder,
    ALLOW_PRIVATE_HOSTS: new URL(url).host,
  })
  const production = startProduction({ ...process.env, DATABASE_URL: database.appUrl }, 'shots')
  const stop = async () => {
    await production.stop()
    await database.drop()
    await releaseServer()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await Promise.race([waitUntilServerReady(`${url}/readyz`), production.death])
  } catch (error) {
    await stop()
    throw error
  }
  return { url, stop }
}
