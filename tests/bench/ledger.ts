import { createBudget } from '../../server/credits/budgets/change'
import { grantCredits } from '../../server/credits/grant'
import { holderId } from '../../server/credits/holder'
import { reserveCredits } from '../../server/credits/reserve'
import { settleHold } from '../../server/credits/settle'
import { findLedgerDifferences } from '../../server/credits/verify'
import { inTransaction, mainPool } from '../../server/db'
import { uuidv7 } from '../../server/kit/id'
import { makeCaller } from '../support/owners'
import { CPU_HEADS, formatCpuSpread, startCpuMeter } from './cpu'
import { formatAgainst, type LoadFigures, measureInTurns } from './measure'
import { formatTenth, formatTimesSpread, formatWhole, markdownTable, quantile, spreadOf } from './table'

const CALLERS = 64
const MS = 3_000

export type BenchPayer = { ownerId: number; keyId: number }

/** Our own path: concurrent callers share commits. */
export async function measureBatchedPairs({ ownerId, keyId }: BenchPayer): Promise<void> {
  const id = uuidv7()
  await reserveCredits({ id, ownerId, keyId, maxCredits: 5n, channel: 'rest', product: 'tool', what: 'bench' })
  await settleHold({ id, ownerId, held: 5n, actual: 3n, status: 'ok' })
}

/**
 * The same SQL functions, one call and one transaction each: what a gateway without batching does.
 */
async function plain({ ownerId, keyId }: BenchPayer): Promise<void> {
  const id = uuidv7()
  await mainPool().query({
    name: 'bench_reserve',
    text: `SELECT * FROM credits_batch('{}', NULL, '{}', '{}', '{}', '{}', '{}', '{}', '{}', $1, ARRAY[$2::uuid], ARRAY[$3::int],
      ARRAY[$4::int], '{}', ARRAY[5::bigint], ARRAY[5::bigint], ARRAY[0::bigint], ARRAY['rest'], ARRAY['tool'], ARRAY['bench'],
      '{}', '{}', NULL, '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}')`,
    values: [holderId(), id, ownerId, keyId],
  })
  await mainPool().query({
    name: 'bench_settle',
    text: `SELECT * FROM credits_settle(ARRAY[$1::uuid], ARRAY[3::bigint], ARRAY[false], ARRAY['ok'], ARRAY[NULL::jsonb],
      ARRAY[NULL::int], ARRAY[NULL::text])`,
    values: [id],
  })
}

/** The floor of the database: one row, one column, one commit. */
async function singleUpdate(_: BenchPayer): Promise<void> {
  await mainPool().query({ name: 'bench_update', text: 'UPDATE bench_row SET n = n + 1 WHERE id = 1' })
}

async function measure(act: (payer: BenchPayer) => Promise<void>, payer: BenchPayer): Promise<LoadFigures> {
  const took: number[] = []
  const cpuPerCall = await startCpuMeter(process.pid)
  const until = performance.now() + MS
  const caller = async () => {
    while (performance.now() < until) {
      const started = performance.now()
      await act(payer)
      took.push(performance.now() - started)
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, caller))
  took.sort((a, b) => a - b)
  const latencies = { p50: quantile(took, 0.5), p99: quantile(took, 0.99) }
  return { perSecond: took.length / (MS / 1000), ...latencies, ...cpuPerCall(took.length) }
}

/** How many budgets a call meets besides key and balance. */
const EXTRA_LIMITS = [0, 2, 6, 16]

/** An account whose every call counts against so many budgets. */
async function makeLimited(budgets: number): Promise<BenchPayer> {
  const { owner, key } = await makeCaller()
  await grantCredits(owner.id, 1_000_000_000n)
  for (let n = 0; n < budgets; n++) {
    const budget = { name: `budget ${n}`, credits: 1_000_000_000, window: 'month', scope: {} } as const
    await inTransaction((tx) => createBudget(tx, owner.id, budget))
  }
  return { ownerId: owner.id, keyId: key.id }
}

/**
 * The same pairs where each meets further limits: budgets of the account. Answers a Markdown table.
 */
async function benchLimits(): Promise<string> {
  const subjects = await Promise.all(
    EXTRA_LIMITS.map(async (limits) => ({ name: `${limits} budgets`, payer: await makeLimited(limits) })),
  )
  const results = await measureInTurns(subjects, ({ payer }) => measure(measureBatchedPairs, payer))
  const base = results[0]?.rounds ?? []
  const whole = ({ serverCpuUs, databaseCpuUs }: LoadFigures) => serverCpuUs + databaseCpuUs
  const lines = results.map(({ name, rounds: made }) => [
    name,
    spreadOf(made, 'perSecond', formatWhole),
    ...formatCpuSpread(made),
    formatTimesSpread(made.map((round, n) => whole(round) / whole(base[n] ?? round))),
  ])
  return markdownTable([`${CALLERS} callers, one hot account`, 'per second', ...CPU_HEADS, 'CPU against none'], lines)
}

/**
 * Reserve+settle pairs a second on one hot account, batched and not, and single-row updates.
 * Answers a Markdown table.
 */
export async function benchLedger(): Promise<string> {
  await mainPool().query(
    'CREATE TABLE bench_row (id int PRIMARY KEY, n bigint NOT NULL); INSERT INTO bench_row VALUES (1, 0)',
  )
  const { owner, key } = await makeCaller()
  await grantCredits(owner.id, 1_000_000_000n)
  const payer = { ownerId: owner.id, keyId: key.id }
  const subjects = [
    { name: 'reserve + settle, one transaction each', act: plain },
    { name: 'reserve + settle, as served (shared commits)', act: measureBatchedPairs },
    { name: 'single-row UPDATE', act: singleUpdate },
  ]
  const results = await measureInTurns(subjects, ({ act }) => measure(act, payer))
  const limits = await benchLimits()
  const differences = await findLedgerDifferences()
  if (differences.length > 0) throw new Error(`the ledger does not agree: ${JSON.stringify(differences[0])}`)
  const { rows } = await mainPool().query<{ bytes: number }>(
    `SELECT round(pg_total_relation_size('ledger')::numeric / count(*))::int AS bytes FROM ledger`,
  )
  const base = results[0]?.rounds ?? []
  const lines = results.map(({ name, rounds: made }) => [
    name,
    spreadOf(made, 'perSecond', formatWhole),
    spreadOf(made, 'p50', formatTenth),
    spreadOf(made, 'p99', formatTenth),
    ...formatCpuSpread(made),
    formatAgainst(made, base),
  ])
  const head = [`${CALLERS} callers, one hot account`, 'per second', 'p50 ms', 'p99 ms', ...CPU_HEADS]
  return `${markdownTable([...head, 'against one transaction each'], lines)}

Each call beside budgets that it counts against, a month's each:

${limits}

A ledger row takes ${rows[0]?.bytes} bytes with its indexes. Every sum agreed afterwards.`
}
