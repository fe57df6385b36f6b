import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { type Home, openHome } from '../../server/cli/embedded/home'
import { ensureRunning, stopServer, urlOf } from '../../server/cli/embedded/postgres'
import { databaseUser } from '../../server/cli/embedded/user'
import { deploy } from '../../server/cli/migrations/deploy'
import { endProcess, nameOf } from '../../server/cli/process'
import { ROOT } from '../../server/cli/project'
import { env } from '../../server/env'

/** A PostgreSQL server of a test file's own, which it may end and start again at the same address. */
export type RestartableServer = {
  /** `orderly` ends every session first; `crash` is what a killed server leaves, to be recovered at the next start. */
  stop: (how: 'orderly' | 'crash') => Promise<void>
  start: () => Promise<void>
}

/** Gives a test file such a server, with every migration applied. Stands before `withSandbox`, so that it ends after it. */
export function withRestartableDatabase(): RestartableServer {
  const user = databaseUser()
  let home: Home
  const start = async () => {
    const url = urlOf(await ensureRunning(home, user))
    process.env.DATABASE_URL = url
    Object.assign(env(), { DATABASE_URL: url })
  }
  beforeAll(async () => {
    home = openHome(path.join(ROOT, '.data', 'restart-pg'), user)
    await start()
    await deploy(env().DATABASE_URL)
  })
  afterAll(() => stopServer(home))
  const crash = async () => {
    const server = nameOf(Number(readFileSync(path.join(home.data, 'postmaster.pid'), 'utf8').split('\n')[0]))
    if (server) await endProcess(server, [['SIGQUIT', 20_000]])
  }
  return { start, stop: (how) => (how === 'crash' ? crash() : stopServer(home)) }
}
