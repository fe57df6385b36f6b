import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { getBalance } from '../../server/credits/balance'
import { findLedgerDifferences } from '../../server/credits/verify'
import { mainPool } from '../../server/db'
import { chargedTo, withSandbox } from '../support/api'
import { CHAT_MODEL, scriptedMessage } from '../support/chat'
import { makeCaller } from '../support/owners'
import { pollUntil } from '../support/poll-until'
import { withRestartableDatabase } from '../support/restartable-database'
import { startWebProcess, type WebProcess } from '../support/web-process'

const database = withRestartableDatabase()
const sandbox = withSandbox()
let webs: WebProcess[] = []
let dataDir = ''
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'tollgate-away-'))
})
afterEach(async () => {
  await Promise.all(webs.map((web) => web.kill('SIGKILL')))
  webs = []
  rmSync(dataDir, { recursive: true, force: true })
})

async function start(): Promise<WebProcess> {
  const web = await startWebProcess({ DATA_DIR: dataDir })
  webs.push(web)
  return web
}

type Seen = { status: number; charged: number | null }

const CALLS = {
  fixed: { path: 'query', body: { tool: 'crypto_get_prices', params: { coinIds: ['sandbox-slow'] } } },
  chat: {
    path: 'chat/completions',
    body: { model: CHAT_MODEL, messages: [scriptedMessage({ text: 'Hello.', delayMs: 5_000 })] },
  },
  stream: {
    path: 'chat/completions',
    body: {
      model: CHAT_MODEL,
      stream: true,
      messages: [scriptedMessage({ text: 'a b c d e f g h', chunkDelayMs: 700 })],
    },
  },
}

/** Makes a call and reads its charge, from the body or from the one chunk that has it. */
async function call(web: WebProcess, key: string, kind: keyof typeof CALLS): Promise<Seen> {
  const res = await fetch(`${web.url}/api/v1/${CALLS[kind].path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(CALLS[kind].body),
  })
  const [, charged] = (await res.text()).match(/"credits_charged":(\d+)/) ?? []
  return { status: res.status, charged: charged === undefined ? null : Number(charged) }
}

const KINDS = ['fixed', 'fixed', 'fixed', 'fixed', 'chat', 'chat', 'stream', 'stream'] as const

/** Calls that are in progress at their providers, their credits held. */
async function begin(web: WebProcess) {
  const { owner, key } = await makeCaller(100_000, { llm: true })
  const before = await sandbox.calls()
  const calls = KINDS.map((kind) => call(web, key.key, kind))
  await pollUntil('every provider to be asked', async () => (await sandbox.calls()) >= before + KINDS.length)
  return { owner, calls: Promise.all(calls) }
}

const sum = (seen: readonly Seen[]) => seen.reduce((total, { charged }) => total + (charged ?? 0), 0)

it('calls in progress when the database goes away are answered with their charge, and charged exactly that', async () => {
  const web = await start()
  const { owner, calls } = await begin(web)
  await database.stop('crash')
  const seen = await calls
  expect(seen.map(({ status }) => status)).toEqual(KINDS.map(() => 200))
  expect(seen.every(({ charged }) => charged !== null && charged > 0)).toBe(true)
  await database.start()
  await pollUntil('every settlement', async () => (await getBalance(owner.id)).held === 0)
  expect(await chargedTo(owner)).toBe(sum(seen))
  expect(await findLedgerDifferences()).toEqual([])
})

it('what a process answered while the database was away outlives its crash', async () => {
  const web = await start()
  const { owner, calls } = await begin(web)
  await database.stop('crash')
  const seen = await calls
  await web.kill('SIGKILL')
  await database.start()
  expect(await chargedTo(owner)).toBe(0)
  await start()
  await pollUntil('every settlement', async () => (await getBalance(owner.id)).held === 0)
  expect(await chargedTo(owner)).toBe(sum(seen))
  const { rows } = await mainPool().query('SELECT DISTINCT status FROM receipt WHERE owner_id = $1', [owner.id])
  expect(rows).toEqual([{ status: 'ok' }])
})

it('a clean stop waits for the database, so that nothing is left to a journal', async () => {
  const web = await start()
  const { owner, calls } = await begin(web)
  await database.stop('orderly')
  const seen = await calls
  const stopped = web.kill('SIGTERM')
  await pollUntil('the drain', () => web.log().includes('draining'))
  await database.start()
  await stopped
  expect(web.child.exitCode).toBe(0)
  expect(await chargedTo(owner)).toBe(sum(seen))
  expect((await getBalance(owner.id)).held).toBe(0)
})
