import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { PROJECT_ROOT } from '../../server/cli/kit/project'
import { grantCredits } from '../../server/credits/grant'
import { mainPool } from '../../server/db'
import { fillHistory } from '../support/history'
import { makeCaller } from '../support/owners'
import { type BenchPayer, measureBatchedPairs } from './ledger'
import { formatTenth, formatTimes, formatWhole, markdownTable, quantile } from './table'

const RECEIPTS = 1_000_000
const CALLERS = 32
const ALONE_MS = 5_000

/** Pairs of reserve and settle, as served, until `isOver`. */
async function load(payer: BenchPayer, isOver: () => boolean) {
  const took: number[] = []
  const began = performance.now()
  const caller = async () => {
    while (!isOver()) {
      const started = performance.now()
      await measureBatchedPairs(payer)
      took.push(performance.now() - started)
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, caller))
  const seconds = (performance.now() - began) / 1_000
  took.sort((a, b) => a - b)
  return { perSecond: took.length / seconds, p50: quantile(took, 0.5), p99: quantile(took, 0.99), seconds }
}

const loadFor = (payer: BenchPayer, ms: number) => {
  const end = performance.now() + ms
  return load(payer, () => performance.now() > end)
}

/**
 * Calls while `admin ledger verify` runs as another process, over one owner's long history and
 * those of the callers.
 */
async function loadBesideVerify(payer: BenchPayer) {
  let isOver = false
  const verified = promisify(execFile)(process.execPath, [
    path.join(PROJECT_ROOT, 'server/cli/run.mjs'),
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

/** What verifying a long ledger does to calls. Returns a Markdown table. */
export async function benchVerify(): Promise<string> {
  const { owner, key } = await makeCaller()
  await fillHistory({ ownerId: owner.id, keyIds: [key.id], count: RECEIPTS, days: 90 })
  const caller = await makeCaller()
  await grantCredits(caller.owner.id, 1_000_000_000n)
  const payer = { ownerId: caller.owner.id, keyId: caller.key.id }
  await mainPool().query('VACUUM ANALYZE receipt')
  await mainPool().query('ANALYZE')
  await loadFor(payer, 2_000)
  const before = await loadFor(payer, ALONE_MS)
  const beside = await loadBesideVerify(payer)
  const after = await loadFor(payer, ALONE_MS)
  const alone = (before.perSecond + after.perSecond) / 2
  const rows = [
    { name: 'alone, before', ...before },
    { name: `beside ledger verify, ${formatTenth(beside.seconds)} s long`, ...beside },
    { name: 'alone, after', ...after },
  ]
  return markdownTable(
    [`${CALLERS} callers beside ${formatWhole(RECEIPTS)} receipts`, 'pairs/s', 'p50 ms', 'p99 ms', 'against alone'],
    rows.map((r) => [
      r.name,
      formatWhole(r.perSecond),
      formatTenth(r.p50),
      formatTenth(r.p99),
      formatTimes(r.perSecond / alone),
    ]),
  )
}
