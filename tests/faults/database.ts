import { existsSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { openDatabaseFolder } from '../../server/cli/embedded/folder'
import { ensurePostgresRunning, ownerRoleUrl, stopPostgres, superuserUrl } from '../../server/cli/embedded/postgres'
import { databaseUser } from '../../server/cli/embedded/system-user'
import { identifyProcess, isProcessAlive } from '../../server/cli/kit/process'
import { dataPath } from '../../server/cli/kit/project'
import { deployMigrations } from '../../server/cli/migrations/deploy'
import { childrenOf, signalProcess } from '../support/process-table'
import { queryOnce } from '../support/query-once'
import { type FakeClock, openFakeClock } from './fake-clock'
import { mountSmallDisk, type SmallDisk } from './small-disk'

/** A PostgreSQL server of the fault tests, controlled by its process ids. */
export type FaultyDatabase = {
  url: string
  /** The small file system under its data folder; null where none can be mounted. */
  disk: SmallDisk | null
  /** Starts the server unless it runs, and waits until it accepts connections. */
  start: () => Promise<void>
  /** A fast shutdown: every session ends, nothing is lost. */
  stop: () => Promise<void>
  /** SIGKILL of the postmaster; resolves when its backends are gone too. */
  kill: () => Promise<void>
  /** SIGSTOP, and later SIGCONT, of the postmaster and all its backends. */
  freeze: () => void
  thaw: () => void
  /** Its clock, which `step` sets so many seconds off. */
  clock: Pick<FakeClock, 'canStep' | 'step'>
  /** As the superuser. */
  query: <R extends pg.QueryResultRow>(sql: string, values?: unknown[]) => Promise<R[]>
  /** Ends the server and removes its folder. */
  remove: () => Promise<void>
}

const DISK_MB = 512

/** Starts an embedded server in the folder `.data/<name>`, with every migration applied. */
export async function startFaultyDatabase(name: string): Promise<FaultyDatabase> {
  const user = databaseUser()
  const folder = dataPath(name)
  // What a killed run left behind.
  if (existsSync(folder)) await stopPostgres(openDatabaseFolder(name, user))
  const disk = mountSmallDisk(folder, DISK_MB)
  if (!disk) rmSync(folder, { recursive: true, force: true })
  const home = openDatabaseFolder(name, user)
  const clock = openFakeClock(`${folder}.clock`)
  const start = () => clock.during(() => ensurePostgresRunning(home, user))
  const running = await start()
  const url = ownerRoleUrl(running)
  const query = <R extends pg.QueryResultRow>(sql: string, values: unknown[] = []) =>
    queryOnce<R>(superuserUrl(running), sql, values)
  const remove = async () => {
    await stopPostgres(home)
    disk?.unmount()
    rmSync(folder, { recursive: true, force: true })
    clock.close()
  }
  try {
    // The log of a busy minute must not fill the small disk by itself.
    await query("ALTER SYSTEM SET max_wal_size = '64MB'")
    await query("ALTER SYSTEM SET min_wal_size = '32MB'")
    await query('SELECT pg_reload_conf()')
    await deployMigrations(url)
  } catch (error) {
    await remove()
    throw error
  }
  const postmaster = () => Number(readFileSync(path.join(home.data, 'postmaster.pid'), 'utf8').split('\n')[0])
  const signal = (signalName: NodeJS.Signals) => {
    const parent = postmaster()
    // The postmaster first when freezing: it would restart a backend that it sees stopped for good.
    for (const pid of [parent, ...childrenOf(parent)]) signalProcess(pid, signalName)
  }
  return {
    url,
    disk,
    query,
    start: async () => void (await start()),
    stop: () => stopPostgres(home),
    kill: async () => {
      const parent = postmaster()
      const family = [parent, ...childrenOf(parent)].map(identifyProcess).filter((name) => name !== null)
      signalProcess(parent, 'SIGKILL')
      while (family.some(isProcessAlive)) await sleep(20)
    },
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    clock,
    remove,
  }
}
