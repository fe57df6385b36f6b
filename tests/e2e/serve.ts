// Serves the production build for the end-to-end tests, on a database that is dropped afterwards.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isPortFree } from '../../server/cli/kit/ports'
import { identifyProcess, isProcessAlive } from '../../server/cli/kit/process'
import { CliError, runMain } from '../../server/cli/kit/project'
import { listenForStop } from '../../server/cli/kit/stop-signal'
import { makeTestDatabase, startTestServer } from '../support/database'
import { requireBuild, startProduction } from '../support/production-build'
import { serveAccounts } from './accounts'
import { E2E_ISSUER_PORT, E2E_PORT, E2E_SANDBOX_PORT, E2E_URL } from './address'
import { ISSUER_SETTINGS, serveIssuer } from './issuer'

const sandboxUrl = `http://127.0.0.1:${E2E_SANDBOX_PORT}`

async function check(): Promise<void> {
  requireBuild()
  for (const port of [E2E_PORT, E2E_SANDBOX_PORT, E2E_ISSUER_PORT]) {
    if (!(await isPortFree(port))) throw new CliError(`Port ${port} is taken; the end-to-end tests need it.`)
  }
}

/**
 * Resolves when the runner has ended: a killed runner cannot stop this process, which holds the
 * ports.
 */
async function runnerEnded(): Promise<void> {
  const runner = identifyProcess(Number(process.env.E2E_RUNNER))
  while (!runner || isProcessAlive(runner)) await sleep(500)
}

await runMain(async () => {
  const stop = listenForStop()
  await check()
  const releaseServer = await startTestServer()
  const database = await makeTestDatabase()
  const data = mkdtempSync(path.join(tmpdir(), 'tollgate-e2e-'))
  const env = {
    ...process.env,
    DATABASE_URL: database.appUrl,
    AUTH_SECRET: 'a-secret-for-tests-only-0123456789',
    ENCRYPTION_KEY: '00'.repeat(32),
    UPSTREAMS: 'sandbox',
    SANDBOX_URL: sandboxUrl,
    PORT: String(E2E_PORT),
    PUBLIC_URL: E2E_URL,
    // The one page that tools may read and screenshot without leaving this machine.
    ALLOW_PRIVATE_HOSTS: new URL(E2E_URL).host,
    DATA_DIR: data,
    ...ISSUER_SETTINGS,
  }
  Object.assign(process.env, env)
  const stopAccounts = await serveAccounts()
  const stopIssuer = await serveIssuer()
  const production = startProduction(env, 'e2e')
  try {
    await Promise.race([stop.asked, runnerEnded(), production.death])
    return 0
  } finally {
    await production.stop()
    await stopAccounts()
    stopIssuer()
    await database.drop()
    await releaseServer()
    rmSync(data, { recursive: true, force: true })
  }
})
