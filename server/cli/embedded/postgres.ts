import { spawn, spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { findFreePort, isPortFree } from '../kit/ports'
import { endProcess, identifyProcess, type ProcessIdentity, processCommandLine } from '../kit/process'
import { CliError } from '../kit/project'
import { rotateLog } from '../kit/rotate-log'
import { postgresBinaries } from './binaries'
import { type DatabaseFolder, type EmbeddedSettings, readEmbeddedSettings, writeEmbeddedSettings } from './folder'
import { requireSameMajor } from './major'
import { APP_ROLE, ensureRole, giveDatabase, grantToAppRole, OWNER_ROLE } from './roles'
import type { SystemUser } from './system-user'

/** The superuser and the database. */
const NAME = 'tollgate'
/** Ends the name of a folder that an upgrade has completed and not yet put in its place. */
export const UPGRADED = '.upgraded'
const START_PATIENCE_MS = 60_000

/**
 * Below the ports that systems give to clients: while the server is down for a restart, no client
 * gets its port.
 */
const PORTS = { first: 10_000, count: 2_000 }

/** The address of a database of this server as its superuser, who makes roles and databases. */
export const superuserUrl = ({ port, password }: EmbeddedSettings, database = NAME): string =>
  `postgresql://${NAME}:${password}@127.0.0.1:${port}/${database}`

/** The same as the owner of everything in it, an ordinary role. */
export const ownerRoleUrl = ({ port, ownerPassword }: EmbeddedSettings, database = NAME): string =>
  `postgresql://${OWNER_ROLE}:${ownerPassword}@127.0.0.1:${port}/${database}`

/** The same as the service, which may read and write rows only. */
export const appRoleUrl = ({ port, appPassword }: EmbeddedSettings, database = NAME): string =>
  `postgresql://${APP_ROLE}:${appPassword}@127.0.0.1:${port}/${database}`

/**
 * Makes sure that the server runs, whoever started it, and answers where: with the binaries of this
 * installation, or with those of another one. Call it under the home's lock.
 */
export async function ensurePostgresRunning(
  home: DatabaseFolder,
  user: SystemUser,
  binaries?: () => string,
): Promise<EmbeddedSettings> {
  const found = await findRunning(home)
  if (found) return found
  const upgraded = `${home.data}${UPGRADED}`
  if (!existsSync(home.data) && existsSync(upgraded)) renameSync(upgraded, home.data)
  if (!binaries) requireSameMajor(home)
  const bin = binaries?.() ?? postgresBinaries(user)
  if (!existsSync(home.data)) initialise(home, user, bin)
  // Earlier versions ran it as another user.
  user.own(home.data)
  const settings = await launch(home, user, bin)
  await ensureDatabase(settings)
  return settings
}

/** Where the server listens that another process uses, without asking it; null where none runs. */
export function usedPostgres(home: DatabaseFolder): EmbeddedSettings | null {
  const settings = readEmbeddedSettings(home)
  return settings.port === serverOf(home)?.port ? settings : null
}

/** Ends the server in an orderly way (fast shutdown). Call it under the home's lock. */
export async function stopPostgres(home: DatabaseFolder): Promise<void> {
  const server = serverOf(home)?.process
  if (!server) return
  const gone = await endProcess(server, [
    ['SIGINT', 20_000],
    ['SIGQUIT', 5_000],
  ])
  if (!gone) throw new CliError(`PostgreSQL (process ${server.pid}) does not stop; its log is ${home.log}`)
}

/**
 * The server that PostgreSQL's own pid file names, if that process lives and is one of this very
 * folder.
 */
function serverOf(home: DatabaseFolder): { process: ProcessIdentity; port: number } | null {
  const file = path.join(home.data, 'postmaster.pid')
  if (!existsSync(file)) return null
  const lines = readFileSync(file, 'utf8').split('\n')
  const name = identifyProcess(Number(lines[0]))
  const isOurs = name !== null && processCommandLine(name.pid).includes(home.data)
  return isOurs ? { process: name, port: Number(lines[3]) } : null
}

async function findRunning(home: DatabaseFolder): Promise<EmbeddedSettings | null> {
  for (let waitedMs = 0; waitedMs < START_PATIENCE_MS; waitedMs += 100) {
    const server = serverOf(home)
    // A pid file of a dead server whose pid now belongs to someone else would keep PostgreSQL from
    // starting.
    if (!server) {
      rmSync(path.join(home.data, 'postmaster.pid'), { force: true })
      return null
    }
    const settings = { ...readEmbeddedSettings(home), port: server.port }
    if (server.port > 0 && (await canConnect(settings))) {
      writeEmbeddedSettings(home, settings)
      await ensureDatabase(settings)
      return settings
    }
    await sleep(100)
  }
  throw new CliError(`The embedded PostgreSQL runs but does not answer; its log is ${home.log}`)
}

/**
 * Makes the data folder beside its place and moves it there, so that a kill leaves no half-made one
 * behind.
 */
function initialise(home: DatabaseFolder, user: SystemUser, bin: string): void {
  const settings = readEmbeddedSettings(home)
  const draft = `${home.data}.new`
  const passwordFile = path.join(path.dirname(home.data), 'password.new')
  rmSync(draft, { recursive: true, force: true })
  writeFileSync(passwordFile, `${settings.password}\n`, { mode: 0o600 })
  mkdirSync(draft, { mode: 0o700 })
  user.ownInit(draft)
  user.ownInit(passwordFile)
  const args = ['-D', draft, '-U', NAME, '-A', 'scram-sha-256', `--pwfile=${passwordFile}`, '-E', 'UTF8']
  const made = spawnSync(path.join(bin, 'initdb'), [...args, '--locale=C', '--no-sync'], {
    ...user.spawnInit,
    encoding: 'utf8',
  })
  rmSync(passwordFile, { force: true })
  if (made.status !== 0)
    throw new CliError(`PostgreSQL could not make its folder: ${made.error ?? lastLine(made.stderr)}`)
  user.own(draft)
  writeEmbeddedSettings(home, settings)
  renameSync(draft, home.data)
}

async function launch(home: DatabaseFolder, user: SystemUser, bin: string): Promise<EmbeddedSettings> {
  const startedAt = Date.now()
  rotateLog(home.log)
  for (;;) {
    const known = readEmbeddedSettings(home)
    const port =
      known.port > 0 && (await isPortFree(known.port))
        ? known.port
        : await findFreePort(PORTS.first + randomInt(PORTS.count))
    const settings = { ...known, port }
    writeEmbeddedSettings(home, settings)
    if (await tryLaunch(home, user, bin, settings)) return settings
    // Right after a crash its old backends may hold the shared memory for a moment; a port may be
    // lost to a race.
    const mayPass = /shared memory block|could not bind|Address already in use/.test(readLog(home))
    if (!mayPass || Date.now() - startedAt > START_PATIENCE_MS) {
      throw new CliError(`PostgreSQL did not start: ${lastLine(readLog(home))} (log: ${home.log})`)
    }
    await sleep(250)
  }
}

/**
 * Starts the server on its own (a Ctrl-C at the terminal does not reach it) and waits until it
 * answers.
 */
async function tryLaunch(
  home: DatabaseFolder,
  user: SystemUser,
  bin: string,
  settings: EmbeddedSettings,
): Promise<boolean> {
  const log = openSync(home.log, 'w', 0o600)
  const options = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=200',
    'shared_buffers=128MB',
  ]
  const args = ['-D', home.data, '-p', String(settings.port), ...options.flatMap((o) => ['-c', o])]
  const child = spawn(path.join(bin, 'postgres'), args, { ...user.spawn, detached: true, stdio: ['ignore', log, log] })
  closeSync(log)
  let hasEnded = false
  child.once('error', () => {
    hasEnded = true
  })
  child.once('exit', () => {
    hasEnded = true
  })
  child.unref()
  while (!hasEnded) {
    if (await canConnect(settings)) return true
    await sleep(30)
  }
  return false
}

async function canConnect(settings: EmbeddedSettings): Promise<boolean> {
  const client = new pg.Client({ connectionString: superuserUrl(settings, 'postgres'), connectionTimeoutMillis: 2_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.end()
    return true
  } catch {
    return false
  }
}

/** The database with its two roles, also where an earlier version made it with others. */
async function ensureDatabase(settings: EmbeddedSettings): Promise<void> {
  const server = superuserUrl(settings, 'postgres')
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [NAME])
    if (!rowCount) await client.query(`CREATE DATABASE ${NAME}`)
  } finally {
    await client.end()
  }
  await ensureRole(server, { name: OWNER_ROLE, password: settings.ownerPassword })
  await ensureRole(server, { name: APP_ROLE, password: settings.appPassword })
  await giveDatabase(superuserUrl(settings), OWNER_ROLE)
  await grantToAppRole(ownerRoleUrl(settings))
}

const readLog = (home: DatabaseFolder): string => (existsSync(home.log) ? readFileSync(home.log, 'utf8') : '')

const lastLine = (text: string): string => text.trim().split('\n').at(-1) ?? ''
