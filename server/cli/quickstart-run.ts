// The second half of npm run quickstart, once everything is installed and built: runs it all until told to stop.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { EnvError, readEnv } from '../env'
import { type Child, deathOf, endAll, startChild } from './children'
import { answers, choosePort, chooseSandbox } from './choose-ports'
import { type Demo, ensureDemo } from './demo'
import { joinEmbeddedDb } from './embedded/join'
import { deploy } from './migrations/deploy'
import { checkUrl } from './migrations/tell'
import { CliError, main, ROOT } from './project'
import { endFormerRun, removeRecord, writeRecord } from './run-record'
import { loadSettings } from './settings'
import { step } from './setup/steps.mjs'
import { untilStopped } from './stop-signal'

const READY_PATIENCE_MS = 90_000
const STOP_PATIENCE_MS = 8_000

const say = (line: string) => process.stdout.write(`${line}\n`)

await main(async () => {
  const stopped = untilStopped()
  const children: Child[] = []
  let closeDatabase = async () => {}
  try {
    const work = async () => {
      loadSettings()
      await step('Ending what a former start left running', () => endFormerRun())
      const note = await choosePort(process.env)
      if (note) say(note)
      closeDatabase = await openDatabase()
      await startAll(children)
      const { baseUrl, publicUrl } = await untilReady(children)
      say(welcome(publicUrl, await step('Preparing the demo account', () => ensureDemo(baseUrl))))
    }
    await Promise.race([work().then(() => firstDeath(children)), stopped])
    return 0
  } finally {
    // A second Ctrl-C is for those who do not want to wait for calls under way.
    const hurried = untilStopped()
    const targets = children.map((child) => child.process)
    await Promise.race([endAll(targets, STOP_PATIENCE_MS), hurried])
    await endAll(targets, 0)
    await closeDatabase()
    removeRecord()
  }
})

async function openDatabase(): Promise<() => Promise<void>> {
  const given = process.env.DATABASE_URL
  const { url, release } = given
    ? { url: checkUrl(given), release: async () => {} }
    : await step('Starting the database', () => joinEmbeddedDb('pg'))
  process.env.DATABASE_URL = url
  try {
    await step('Migrating the database', () => deploy(url))
  } catch (error) {
    await release()
    throw error
  }
  return release
}

async function startAll(children: Child[]): Promise<void> {
  const needsSandbox = await chooseSandbox(process.env)
  checkSettings()
  const names = [...(needsSandbox ? ['sandbox'] : []), 'web', 'worker']
  for (const name of names.filter((known) => existsSync(path.join(ROOT, 'dist', `${known}.js`)))) {
    children.push(startChild(name, process.env))
    writeRecord(
      `http://localhost:${process.env.PORT}`,
      children.map((child) => child.process),
    )
  }
}

function checkSettings(): void {
  try {
    readEnv(process.env)
  } catch (error) {
    if (error instanceof EnvError) throw new CliError(error.lines.map((line) => `Bad setting: ${line}`).join('\n'))
    throw error
  }
}

async function untilReady(children: Child[]): Promise<{ baseUrl: string; publicUrl: string }> {
  const { PORT, PUBLIC_URL, SANDBOX_URL, sandbox } = readEnv(process.env)
  const baseUrl = `http://127.0.0.1:${PORT}`
  const work = async () => {
    for (let waitedMs = 0; waitedMs < READY_PATIENCE_MS; waitedMs += 100) {
      if ((await isReady(baseUrl)) && (!sandbox || (await answers(SANDBOX_URL)))) return
      await sleep(100)
    }
    throw new CliError(`Nothing answers at ${baseUrl}/readyz; the logs are in .data/logs`)
  }
  await step('Starting web, worker and sandbox', () => Promise.race([work(), firstDeath(children)]))
  return { baseUrl, publicUrl: PUBLIC_URL }
}

async function isReady(baseUrl: string): Promise<boolean> {
  try {
    return (await fetch(`${baseUrl}/readyz`, { signal: AbortSignal.timeout(5_000) })).ok
  } catch {
    return false
  }
}

/** Rejects when one of the processes ends by itself, which takes the rest with it. */
const firstDeath = (children: Child[]): Promise<never> =>
  Promise.race(
    children.map(async (child) => {
      throw deathOf(child, await child.ended)
    }),
  )

const welcome = (url: string, { email, password, key }: Demo): string => `
Tollgate is ready: ${url}

  E-mail    ${email}
  Password  ${password}
  API key   ${key}

Try it:

  curl -s ${url}/api/v1/query -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '{"tool":"web_search","params":{"query":"toll gates"}}'

Logs are in .data/logs, data in .data. Ctrl-C stops everything; the next start keeps the data.
`
