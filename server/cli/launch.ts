// What `npm run admin`, `db:migrate` and the like go through: settings and a database first, then
// the entry itself.
import path from 'node:path'
import { printJsonLines } from '../kit/print-line'
import { databaseOfCommand } from './admin/database-of'
import { readSettingsOf, type SettingsReading } from './cluster/reading'
import { type RunningEntry, runHere } from './cluster/run-here'
import { openCommandDatabase, printDatabase } from './embedded/command-database'
import { runMain, writeProblem } from './kit/project'
import { hasSandboxData, loadEnvFile, loadSettings, withSettingsFile } from './kit/settings'
import { hasTerminal } from './setup/root.mjs'

const entryArgs = process.argv.slice(2)
const entryIndex = entryArgs.findIndex((arg) => ['.js', '.ts'].includes(path.extname(arg)))
const entry = path.parse(entryArgs[entryIndex] ?? '').name
/**
 * In production nothing is filled in: a missing secret is an error, and no sandbox answers unasked.
 */
const isProduction = ['web', 'worker', 'sandbox'].includes(entry)
const use = entry === 'admin' ? databaseOfCommand(entryArgs.slice(entryIndex + 1)) : 'service'
const needsNoDatabase =
  use === 'none' ||
  ['sandbox', 'migration', 'bench'].includes(entry) ||
  (entry === 'migrate' && entryArgs.some((word) => ['diff', 'dump', 'release'].includes(word)))

/**
 * Opens the command's database, brings an embedded one up to date, and hands its address on to the
 * entry.
 */
async function openFor(entry: string): Promise<() => Promise<void>> {
  if (needsNoDatabase) return async () => {}
  const database = await openCommandDatabase(process.env)
  printDatabase(database)
  try {
    const isOwner = entry === 'migrate' || use === 'owner'
    if (database.isEmbedded && !isOwner) {
      const { deployMigrations } = await import('./migrations/deploy')
      await deployMigrations(database.ownerUrl)
    }
    process.env.DATABASE_URL = isOwner ? database.ownerUrl : database.url
    return database.release
  } catch (error) {
    await database.release()
    throw error
  }
}

/** Loaded only here: a command in this process needs nothing of it. */
async function startEntry(readAgain: () => SettingsReading): Promise<RunningEntry> {
  return (await import('./cluster/run-entry')).runEntry(entry, entryArgs, readAgain)
}

/** What is to find out what is wrong runs also where the data folder cannot be written. */
function loadForCommand(): void {
  try {
    loadSettings({ isSandbox: hasSandboxData() })
  } catch (error) {
    if (use !== 'none' || writeProblem(error) === null) throw error
    loadEnvFile()
  }
}

/** What reads the settings of a service, over the environment that it was `given`. */
function reader(given: NodeJS.ProcessEnv, database: string | undefined): () => SettingsReading {
  const opened = process.env.DATABASE_URL
  return () => {
    const env: NodeJS.ProcessEnv = { ...withSettingsFile(given), NODE_ENV: process.env.NODE_ENV }
    // The embedded one is open, at an address that no file names.
    return readSettingsOf(env.DATABASE_URL === database ? { ...env, DATABASE_URL: opened } : env, given)
  }
}

await runMain(async () => {
  const given = { ...process.env }
  if (isProduction) {
    Object.assign(process.env, { NODE_ENV: 'production' })
    printJsonLines()
    loadEnvFile()
  } else {
    loadForCommand()
  }
  // Signals go on to the entry, which takes any number of them as one request to stop; this process
  // stays until it has ended, to put the database away. Ctrl-C goes on as SIGTERM because a
  // terminal sends it to the entry as well.
  let running: RunningEntry | undefined
  let isStopping = false
  let isReloadAsked = false
  const stop = () => {
    isStopping = true
    running?.stop()
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'disconnect']) process.on(signal, stop)
  process.on('SIGHUP', () => {
    if (!isProduction || hasTerminal()) return stop()
    isReloadAsked = true
    running?.reload?.()
  })
  const database = process.env.DATABASE_URL
  const closeDatabase = await openFor(entry)
  try {
    if (isStopping) return isProduction ? 0 : 130
    running = entry === 'admin' ? runHere(entryArgs) : await startEntry(reader(given, database))
    if (isStopping) running.stop()
    else if (isReloadAsked) running.reload?.()
    return await running.ended
  } finally {
    await closeDatabase()
  }
})
