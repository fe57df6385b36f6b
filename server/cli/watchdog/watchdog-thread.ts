// The thread that watches over its process. It imports as little as it can: it must run when all
// else stands still.
import { writeSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import pg from 'pg'
import { exitMainThread, mainThreadStack } from './main-thread'
import { STALLED_EXIT_CODE, type WatchdogStatement, type WatchdogTask } from './watchdog'

const { databaseUrl, name, renew, stalled, stallMs, turns } = workerData as WatchdogTask

const CHECK_MS = 250
const RENEW_MS = 10_000
const RETRY_MS = 1_000
const STATEMENT_MS = 5_000
const STDERR = 2

let client: pg.Client | undefined

/** Runs a statement on the thread's own connection, which is opened again after it was lost. */
async function run({ sql, values }: WatchdogStatement): Promise<void> {
  try {
    client ??= await connect()
    await client.query(sql, [...values])
  } catch (error) {
    const lost = client
    client = undefined
    void lost?.end().catch(() => {})
    throw error
  }
}

async function connect(): Promise<pg.Client> {
  const made = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: STATEMENT_MS,
    query_timeout: STATEMENT_MS,
    statement_timeout: STATEMENT_MS,
    keepAlive: true,
    application_name: name,
  })
  made.on('error', () => {
    if (client === made) client = undefined
  })
  await made.connect()
  return made
}

/** Structured like every other line of the log, but written at once. */
function report(level: 40 | 60, fields: object, msg: string): void {
  writeSync(STDERR, `${JSON.stringify({ level, time: Date.now(), ...fields, msg })}\n`)
}

async function keepRenewing(): Promise<never> {
  let isFailing = false
  for (;;) {
    try {
      await run(renew)
      isFailing = false
      await sleep(RENEW_MS)
    } catch (error) {
      if (!isFailing) report(40, { err: (error as Error).message }, 'lease not renewed by the watchdog')
      isFailing = true
      await sleep(RETRY_MS)
    }
  }
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

let seen = Atomics.load(turns, 0)
let checkedAt = performance.now()
let stillMs = 0
let isEnding = false

/**
 * Counts how long the event loop has not turned while this thread itself was running: after a stop
 * of the whole process (SIGSTOP, a suspended machine) neither has missed anything.
 */
function check(): void {
  const now = performance.now()
  const elapsed = Math.min(now - checkedAt, 2 * CHECK_MS)
  const turn = Atomics.load(turns, 0)
  stillMs = turn === seen ? stillMs + elapsed : 0
  checkedAt = now
  seen = turn
  if (stillMs >= stallMs && !isEnding) void endProcess()
}

async function endProcess(): Promise<void> {
  isEnding = true
  const stack = await mainThreadStack()
  report(60, { stalledMs: Math.round(stillMs), stack }, 'the event loop stands still: the process is ended')
  if (stalled) {
    const failed = (error: Error) => report(40, { err: error.message }, 'the stall could not be recorded')
    await Promise.race([run(stalled).catch(failed), sleep(STATEMENT_MS)])
  }
  await exitMainThread(STALLED_EXIT_CODE)
  process.kill(process.pid, 'SIGKILL')
}

setInterval(check, CHECK_MS)
void keepRenewing()
