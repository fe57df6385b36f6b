import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { type DatabaseFolder, openDatabaseFolder } from '../../server/cli/embedded/folder'
import { ensurePostgresRunning, ownerRoleUrl, stopPostgres } from '../../server/cli/embedded/postgres'
import { databaseUser } from '../../server/cli/embedded/system-user'
import { endProcess, identifyProcess } from '../../server/cli/kit/process'
import { PROJECT_ROOT } from '../../server/cli/kit/project'
import { deployMigrations } from '../../server/cli/migrations/deploy'
import { env } from '../../server/env'
import { endPostgresNow, onTermination } from './on-termination'

/**
 * A PostgreSQL server of a test file's own, which it may end and start again at the same address.
 */
export type RestartableDatabase = {
  /**
   * `orderly` ends every session first; `crash` is what a killed server leaves, to be recovered at
   * the next start.
   */
  stop: (how: 'orderly' | 'crash') => Promise<void>
  start: () => Promise<void>
}

/**
 * Gives a test file such a server, with every migration applied. Stands before `withSandbox`, so
 * that it ends after it.
 */
export function withRestartableDatabase(): RestartableDatabase {
  const user = databaseUser()
  let home: DatabaseFolder
  const start = async () => {
    const url = ownerRoleUrl(await ensurePostgresRunning(home, user))
    process.env.DATABASE_URL = url
    Object.assign(env(), { DATABASE_URL: url })
  }
  beforeAll(async () => {
    home = openDatabaseFolder(path.join(PROJECT_ROOT, '.data', `restart-pg-${process.env.VITEST_POOL_ID}`), user)
    await start()
    onTermination(() => endPostgresNow(home))
    await deployMigrations(env().DATABASE_URL)
  })
  afterAll(() => stopPostgres(home))
  const crash = async () => {
    const server = identifyProcess(Number(readFileSync(path.join(home.data, 'postmaster.pid'), 'utf8').split('\n')[0]))
    if (server) await endProcess(server, [['SIGQUIT', 20_000]])
  }
  return { start, stop: (how) => (how === 'crash' ? crash() : stopPostgres(home)) }
}
