// The second half of npm run quickstart, once everything is installed and built: runs everything
// until it is stopped.
import { readEnv } from '../env'
import type { ChildProcessEntry } from './children'
import { choosePort, chooseSandbox, LOOPBACK, localUrl } from './choose-ports'
import { type DemoAccount, ensureDemoAccount } from './demo-account'
import { openCommandDatabase, printDatabase } from './embedded/command-database'
import { dataPath, displayPath, runMain } from './kit/project'
import { checkSettings, loadSettings } from './kit/settings'
import { listenForStop } from './kit/stop-signal'
import { deployMigrations } from './migrations/deploy'
import { endChildren, firstDeath, keepRunning, type Running, start } from './quickstart-children'
import { endPreviousRun, removeRunRecord } from './run-record'
import { step } from './setup/steps.mjs'
import { waitUntilServerReady } from './wait-until-ready'

const say = (line: string) => process.stdout.write(`${line}\n`)

async function startDatabase(): Promise<() => Promise<void>> {
  const database = await step('Starting the database', () => openCommandDatabase(process.env))
  printDatabase(database)
  try {
    await step('Migrating the database', () => deployMigrations(database.ownerUrl))
    process.env.DATABASE_URL = database.url
  } catch (error) {
    await database.release()
    throw error
  }
  return database.release
}

/** The sandbox needs no database, so it starts beside it. */
async function startSandbox(running: Running): Promise<void> {
  if (!(await chooseSandbox(process.env))) return
  start('sandbox', running)
  await Promise.race([waitUntilServerReady(`${process.env.SANDBOX_URL}/healthz`), firstDeath(running.children)])
}

async function untilReady(children: ChildProcessEntry[]): Promise<{ baseUrl: string; publicUrl: string }> {
  const { HOST, PORT, PUBLIC_URL } = readEnv(process.env)
  const baseUrl = localUrl(HOST, PORT)
  await Promise.race([waitUntilServerReady(`${baseUrl}/readyz`), firstDeath(children)])
  return { baseUrl, publicUrl: PUBLIC_URL }
}

const welcome = (url: string, { email, password, key }: DemoAccount): string => `
Tollgate is ready: ${url}

  E-mail    ${email}
  Password  ${password}
  API key   ${key}

Try it:

  curl -s ${url}/api/v1/query -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '{"tool":"web_search","params":{"query":"toll gates"}}'

Logs are in ${displayPath(dataPath('logs'))}, data in ${displayPath(dataPath())}. Ctrl-C stops everything; the next start keeps the data.
${reach()}
`

/** Who can open it. */
const reach = (): string =>
  process.env.HOST === LOOPBACK
    ? 'Only this machine can open it. To let your network in: HOST=0.0.0.0 npm run quickstart'
    : `It listens on ${process.env.HOST}: whoever reaches that address can open it.`

await runMain(async () => {
  const stop = listenForStop()
  const children: ChildProcessEntry[] = []
  const ending = new AbortController()
  let database: Promise<() => Promise<void>> | undefined
  const work = async () => {
    loadSettings()
    process.env.HOST ||= LOOPBACK
    checkSettings()
    await step('Looking for a former start', () => endPreviousRun())
    const note = await choosePort(process.env)
    if (note) say(note)
    stop.signal.throwIfAborted()
    const running = { children, signal: AbortSignal.any([stop.signal, ending.signal]) }
    database = startDatabase()
    await Promise.all([database, step('Starting the sandbox', () => startSandbox(running))])
    const { baseUrl, publicUrl } = await step('Starting web and worker', async () => {
      start('web', running)
      start('worker', running)
      return untilReady(children)
    })
    say(welcome(publicUrl, await step('Preparing the demo account', () => ensureDemoAccount(baseUrl))))
    return Promise.race(children.map(({ name }) => keepRunning(name, running)))
  }
  try {
    await Promise.race([work(), stop.asked])
    return 0
  } finally {
    ending.abort()
    const closeDatabase = await database?.catch(() => undefined)
    const slow = setTimeout(() => say('Finishing the calls in progress; Ctrl-C again ends them now.'), 1_000)
    await endChildren(children, stop.hurry)
    clearTimeout(slow)
    await closeDatabase?.()
    if (database) removeRunRecord()
  }
})
