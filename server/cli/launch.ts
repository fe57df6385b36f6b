// What `npm run admin`, `db:migrate` and the like go through: settings and a database first, then the entry itself.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { joinEmbeddedDb } from './embedded/join'
import { deploy } from './migrations/deploy'
import { main } from './project'
import { loadEnvFile, loadSettings } from './settings'

const entryArgs = process.argv.slice(2)
const entry = entryArgs.map((arg) => path.parse(arg)).find(({ ext }) => ext === '.js' || ext === '.ts')?.name ?? ''
/** In production nothing is made up: a secret that is missing is told, and no sandbox answers unasked. */
const isProduction = ['web', 'worker', 'sandbox'].includes(entry)
const needsNoDatabase =
  entry === 'sandbox' || entry === 'migration' || (entry === 'migrate' && entryArgs.includes('diff'))

/** Starts the embedded database for the time of the command when no other is set, or joins the one that runs. */
async function openDatabase(): Promise<() => Promise<void>> {
  if (process.env.DATABASE_URL || needsNoDatabase) return async () => {}
  const { url, release } = await joinEmbeddedDb('pg')
  process.env.DATABASE_URL = url
  if (entry !== 'migrate') await deploy(url)
  return release
}

await main(async () => {
  if (isProduction) {
    loadEnvFile()
    Object.assign(process.env, { NODE_ENV: 'production' })
  } else {
    loadSettings()
  }
  // Signals go on to the entry, which takes any number of them as one request to stop; this process stays until it has
  // ended, to put the database away. Ctrl-C goes on as SIGTERM because a terminal sends it to the entry as well.
  let child: ReturnType<typeof spawn> | undefined
  let isStopping = false
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'disconnect']) {
    process.on(signal, () => {
      isStopping = true
      child?.kill('SIGTERM')
    })
  }
  const closeDatabase = await openDatabase()
  try {
    if (isStopping) return 130
    child = spawn(process.execPath, entryArgs, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
    const [code] = await once(child, 'exit')
    return typeof code === 'number' ? code : 130
  } finally {
    await closeDatabase()
  }
})
