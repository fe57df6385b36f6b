import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '../../server/cli/project'
import { grant } from '../../server/credits/grant'
import { pool } from '../../server/db'
import { fillHistory } from '../support/history'
import { makeCaller } from '../support/make'
import { batched, type Payer } from './ledger'
import { quantile, table, tenth, times, whole } from './table'

const RECEIPTS = 1_000_000
const CALLERS = 32
const ALONE_MS = 5_000

/** Pairs of reserve and settle, as served, until `isOver`. */
async function load(payer: Payer, isOver: () => boolean) {
  const took: number[] = []
  const began = performance.now()
  const caller = async () => {
    while (!isOver()) {
      const started = performance.now()
      await batched(payer)
      took.push(performance.now() - started)
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, caller))
  const seconds = (performance.now() - began) / 1_000
  took.sort((a, b) => a - b)
  return { perSecond: took.length / seconds, p50: quantile(took, 0.5), p99: quantile(took, 0.99), seconds }
}

const loadFor = (payer: Payer, ms: number) => {
  const end = performance.now() + ms
  return load(payer, () => performance.now() > end)
}

/** Calls while `admin ledger verify` runs as a process of its own, over one owner's long history and the callers' own. */
async function loadBesideVerify(payer: Payer) {
  let isOver = false
  const verified = promisify(execFile)(process.execPath, [
    path.join(ROOT, 'server/cli/run.mjs'),
    'admin',
    'ledger',
    'verify',
    '--json',
  ]).finally(() => {
    isOver = true
  })
  const measured = await load(payer, () => isOver)
  const { ok } = JSON.parse((await verified).stdout)
  if (!ok) throw new Error('the ledger does not agree')
  return measured
}

/** What verifying a long ledger does to calls. Answers a Markdown table. */
export async function benchVerify(): Promise<string> {
  const { owner, key } = await makeCaller()
  await fillHistory({ ownerId: owner.id, keyIds: [key.id], count: RECEIPTS, days: 90 })
  const caller = await makeCaller()
  await grant(caller.owner.id, 1_000_000_000n)
  const payer = { ownerId: caller.owner.id, keyId: caller.key.id }
  await pool().query('VACUUM ANALYZE receipt')
  await pool().query('ANALYZE')
  await loadFor(payer, 2_000)
  const before = await loadFor(payer, ALONE_MS)
  const beside = await loadBesideVerify(payer)
  const after = await loadFor(payer, ALONE_MS)
  const alone = (before.perSecond + after.perSecond) / 2
  const rows = [
    { name: 'alone, before', ...before },
    { name: `beside ledger verify, ${tenth(beside.seconds)} s long`, ...beside },
    { name: 'alone, after', ...after },
  ]
  return table(
    [`${CALLERS} callers beside ${whole(RECEIPTS)} receipts`, 'pairs/s', 'p50 ms', 'p99 ms', 'against alone'],
    rows.map((r) => [r.name, whole(r.perSecond), tenth(r.p50), tenth(r.p99), times(r.perSecond / alone)]),
  )
}
