// Each kind of damage to a database with real calls in it, one at a time: `npm run admin -- ledger
// verify`, as an operator runs it, must exit with 1 and name it.
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { sumUpUsage } from '../../server/credits/sum-up'
import { mainPool } from '../../server/db'
import { runAdmin, runAdminJson } from '../support/admin-process'
import { scriptedGoal, startAgentRun, untilStatus } from '../support/agent'
import { callQuery, withSandbox } from '../support/api'
import { moveCall } from '../support/ledger-chain'
import { makeCaller } from '../support/owners'
import { keepTables, putBackTables } from '../support/saved-tables'
import { withWorker } from '../support/worker'

withSandbox()
withWorker()

const TABLES = [
  'account',
  'key',
  'spend_limit',
  'ledger',
  'receipt',
  'usage_hour',
  'usage_customer_hour',
  'usage_key_day',
  'usage_key_month',
  'job',
  'turn',
  'step',
  'idempotency',
  'retention',
]

/** What the damages name: owner, other, key, call, kept and later (with Idempotency-Keys), job. */
const made: Record<string, string | number> = {}

beforeAll(async () => {
  const { owner, key } = await makeCaller(100_000, { agent: true })
  const other = await makeCaller(1_000)
  const ids: (string | null)[] = []
  for (let i = 0; i < 3; i++) {
    const headers = i > 0 ? { 'idempotency-key': randomUUID() } : undefined
    ids.push((await callQuery(key.key, 'web_search', { query: `tolls ${i}` }, headers)).headers.get('x-request-id'))
  }
  // One that is summed.
  await moveCall(String(ids[2]), new Date(Date.now() - 86_400_000))
  await sumUpUsage()
  const search = { name: 'web_search', arguments: { query: 'gates' } }
  const goal = scriptedGoal({ turns: [{ toolCalls: [search] }, { text: 'Done.' }] })
  const started = await startAgentRun(key.key, { goal })
  await untilStatus(key.key, started.body.jobId, 'completed')
  Object.assign(made, {
    owner: owner.id,
    other: other.owner.id,
    key: key.id,
    call: ids[0],
    kept: ids[1],
    later: ids[2],
    job: started.body.jobId,
  })
  expect(await runAdminJson(['ledger', 'verify'])).toEqual({ code: 0, ok: true, differences: [] })
  await keepTables(TABLES)
})
afterEach(() => putBackTables(TABLES))

/** Runs statements in which `$name` is what was made under that name. */
async function damage(sql: readonly string[]): Promise<void> {
  for (const one of sql) {
    const names = [...new Set([...one.matchAll(/\$(\w+)/g)].map(([, name = '']) => name))]
    const text = names.reduce((so, name, i) => so.replaceAll(`$${name}`, `$${i + 1}`), one)
    const { rowCount } = await mainPool().query(
      text,
      names.map((name) => made[name]),
    )
    expect(rowCount, one).toBeGreaterThan(0)
  }
}

const PRICE = 'SELECT charged FROM receipt WHERE id = $call'

test.each<[string, string, readonly string[]]>([
  ['a balance', 'account total', ['UPDATE account SET available = available + 1 WHERE owner_id = $owner']],
  ['what an account holds', 'account held', ['UPDATE account SET held = held + 1 WHERE owner_id = $owner']],
  [
    'what an account spent on a day',
    'account day',
    [
      `UPDATE account SET day_credits = 10000, day_start = date_trunc('day', now(), 'UTC'), day_spent = 1 WHERE owner_id = $owner`,
    ],
  ],
  ['a key’s spend', 'key spent', ['UPDATE "key" SET spent = spent - 1 WHERE id = $key']],
  ['what a conversation spent', 'spend limit spent', ['UPDATE spend_limit SET spent = spent - 1 WHERE id = $job']],
  ['a receipt’s charge', 'receipt charge', ['UPDATE receipt SET charged = charged + 1 WHERE id = $call']],
  ['a ledger row', 'receipt charge', ['UPDATE ledger SET amount = amount - 1 WHERE hold_id = $call']],
  ['a daily sum', 'usage of a key', ['UPDATE usage_key_day SET charged = charged + 1 WHERE owner_id = $owner']],
  [
    'a sum of a customer',
    'usage of a customer',
    [
      `INSERT INTO usage_customer_hour (owner_id, hour, customer_id, key_id, product, what, calls, charged)
        VALUES ($owner, date_trunc('hour', now(), 'UTC'), 1, $key, 'tool', 'web_search', 1, 1)`,
    ],
  ],
  ['what a step was charged', 'step charge', ['UPDATE step SET charged = charged + 1 WHERE job_id = $job']],
  ['what a run cost', 'run credits', ['UPDATE job SET credits = credits + 1 WHERE id = $job']],
  ['a conversation’s cap', 'conversation cap', ['UPDATE spend_limit SET cap = cap + 1 WHERE id = $job']],
  ['a deleted limit with receipts', 'missing spend limit', ['DELETE FROM spend_limit WHERE id = $job']],
  ['a receipt whose key was cleared', 'receipt key', ['UPDATE receipt SET key_id = NULL WHERE id = $call']],
  ['a key moved to another owner', 'key owner', ['UPDATE "key" SET owner_id = $other WHERE id = $key']],
  ['a receipt’s status', 'changed receipt', [`UPDATE receipt SET status = 'failed' WHERE id = $call`]],
  [
    'a receipt whose seal was cleared',
    'changed receipt',
    [`UPDATE receipt SET status = 'failed', seal = 0 WHERE id = $kept`],
  ],
  ['what was held below the charge', 'changed receipt', ['UPDATE receipt SET held = charged - 1 WHERE id = $call']],
  ['a stored answer', 'stored response', [`UPDATE idempotency SET answer = answer || ' ' WHERE hold_id = $kept`]],
  [
    'a stored answer whose seal was cleared',
    'stored response',
    [`UPDATE idempotency SET answer = answer || ' ', seal = 0 WHERE hold_id = $later`],
  ],
  [
    'an Idempotency-Key in progress without a hold',
    'idempotency in progress',
    ['UPDATE idempotency SET status = NULL, answer = NULL, charged = NULL, seal = NULL WHERE hold_id = $kept'],
  ],
  [
    'receipts deleted, and the cutoff of retention moved behind them',
    'retention cutoff',
    [
      'DELETE FROM receipt WHERE owner_id = $owner AND limit_id IS NULL',
      `UPDATE retention SET cutoff = now() + interval '1 day', deleted = now() WHERE name = 'receipts'`,
    ],
  ],
  [
    'a grant and the balance raised together',
    'ledger chain',
    [
      'UPDATE ledger SET amount = amount + 1000 WHERE owner_id = $owner AND hold_id IS NULL',
      'UPDATE account SET available = available + 1000 WHERE owner_id = $owner',
    ],
  ],
  [
    'a grant that nobody made',
    'ledger chain',
    [
      `INSERT INTO ledger (amount, owner_id, note) VALUES (1000, $owner, 'a gift')`,
      'UPDATE account SET available = available + 1000 WHERE owner_id = $owner',
    ],
  ],
  [
    'one call erased everywhere',
    'ledger chain',
    [
      `UPDATE account SET available = available + (${PRICE}) WHERE owner_id = $owner`,
      `UPDATE "key" SET spent = spent - (${PRICE}) WHERE id = $key`,
      'DELETE FROM receipt WHERE id = $call',
      'DELETE FROM ledger WHERE hold_id = $call',
    ],
  ],
])('%s is found', async (_name, what, sql) => {
  await damage(sql)
  const { code, stdout } = await runAdmin(['ledger', 'verify'])
  expect(code).toBe(1)
  expect(stdout).toMatch(new RegExp(`^${what} \\S+: stored `, 'm'))
})

test('what was changed and chained again is found by a checkpoint that was kept elsewhere', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'tollgate-checkpoint-'))
  const file = path.join(folder, 'ledger.json')
  const written = await runAdmin(['ledger', 'checkpoint', '--to', file])
  expect(written).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Checkpoint of .*\n {2}accounts: 2\n {2}signed with /),
  })
  expect(await runAdmin(['ledger', 'checkpoint', '--to', file])).toMatchObject({ code: 1 })
  expect(await runAdmin(['ledger', 'verify', '--against', file])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('is what it was at'),
  })
  await damage([
    'UPDATE ledger SET amount = amount + 1000 WHERE owner_id = $owner AND hold_id IS NULL',
    `UPDATE account SET available = available + 1000,
      chain = ledger_chain(owner_id, NULL, '-infinity', 'infinity', 9223372036854775807) WHERE owner_id = $owner`,
  ])
  expect(await runAdmin(['ledger', 'verify'])).toMatchObject({ code: 0 })
  const found = await runAdmin(['ledger', 'verify', '--against', file])
  expect(found).toMatchObject({ code: 1, stdout: expect.stringMatching(/^ledger before the checkpoint \d+: stored /) })
  writeFileSync(file, readFileSync(file, 'utf8').replace('"entries":', '"entries":1'))
  expect(await runAdmin(['ledger', 'verify', '--against', file])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Its signature does not fit'),
  })
  rmSync(folder, { recursive: true })
})

test('repair says what it made anew, and what it cannot', async () => {
  expect(await runAdmin(['ledger', 'repair'])).toMatchObject({ code: 0, stdout: 'Nothing is to be repaired\n' })
  await damage(['UPDATE usage_key_day SET charged = charged + 1 WHERE owner_id = $owner'])
  expect(await runAdmin(['ledger', 'repair'])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^repaired: usage of a key .* was \S+, is \S+$/m),
  })
  expect(await runAdminJson(['ledger', 'verify'])).toMatchObject({ code: 0 })
  await damage(['UPDATE step SET charged = charged + 1 WHERE job_id = $job'])
  expect(await runAdminJson(['ledger', 'repair'])).toMatchObject({ code: 1, ok: false, repaired: [] })
})

test('and what was put back agrees again', async () => {
  expect(await runAdminJson(['ledger', 'verify'])).toEqual({ code: 0, ok: true, differences: [] })
})
