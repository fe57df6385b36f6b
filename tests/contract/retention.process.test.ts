import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'
import { PROJECT_ROOT } from '../../server/cli/project'
import { startRetention } from '../../server/cli/retention'
import { findLedgerDifferences } from '../../server/credits/verify'
import { mainPool } from '../../server/db'
import { fillHistory } from '../support/history'
import { makeCaller } from '../support/owners'
import { pollUntil } from '../support/poll-until'
import { withTemporaryStorage } from '../support/temporary-storage'

withTemporaryStorage()
afterAll(async () => expect(await findLedgerDifferences()).toEqual([]))

/** Runs an operator's command as npm does, on this test's database. */
async function admin(args: string[], env: Record<string, string> = {}) {
  const script = path.join(PROJECT_ROOT, 'server/cli/admin.ts')
  return promisify(execFile)(process.execPath, ['--import', 'tsx', script, ...args], {
    cwd: PROJECT_ROOT,
    env: { ...process.env, ...env },
  })
}

type Told = { dryRun: boolean; rows: { name: string; count: number }[] }
const receiptsIn = (told: Told) => told.rows.find(({ name }) => name === 'receipts')?.count

const countOf = async (table: string) => (await mainPool().query(`SELECT count(*)::int AS n FROM ${table}`)).rows[0].n

it('admin retention --dry-run says what a run would delete and deletes nothing; without it, it is deleted', async () => {
  const { owner, key } = await makeCaller()
  await fillHistory({ ownerId: owner.id, keyIds: [key.id], count: 900, days: 60 })
  const kept = { RETAIN_RECEIPTS_DAYS: '31' }
  const preview: Told = JSON.parse((await admin(['retention', '--dry-run', '--json'], kept)).stdout)
  const due = receiptsIn(preview) ?? 0
  expect(preview.dryRun).toBe(true)
  expect(due).toBeGreaterThan(400)
  expect(await countOf('receipt')).toBe(900)
  const told: Told = JSON.parse((await admin(['retention', '--json'], kept)).stdout)
  expect([told.dryRun, receiptsIn(told)]).toEqual([false, due])
  expect(await countOf('receipt')).toBe(900 - due)
  expect((await admin(['retention', '--dry-run'], kept)).stdout).toMatch(/A run would delete\n +0 {2}receipts\n/)
  expect(JSON.parse((await admin(['ledger', 'verify', '--json'])).stdout)).toEqual({ ok: true, differences: [] })
})

it('is refused with less than 31 days of receipts, and keeps them for ever by default', async () => {
  await expect(admin(['retention'], { RETAIN_RECEIPTS_DAYS: '30' })).rejects.toMatchObject({
    stderr: expect.stringMatching(/RETAIN_RECEIPTS_DAYS must be 0 \(for ever\) or at least 31/),
  })
  expect(receiptsIn(JSON.parse((await admin(['retention', '--dry-run', '--json'])).stdout))).toBeUndefined()
})

it('of several processes one runs it every five minutes', async () => {
  await mainPool().query(`UPDATE retention SET started_at = NULL WHERE name = 'run'`)
  await mainPool().query(
    `INSERT INTO rate_window (id, started_at, count) SELECT 'enter:address:' || n, now() - interval '2 hours', 1
     FROM generate_series(1, 1200) n`,
  )
  const stops = [1, 2, 3].map(() => startRetention(50))
  await pollUntil('the run', async () => (await countOf('rate_window')) === 0)
  const startedAt = async () =>
    (await mainPool().query(`SELECT started_at FROM retention WHERE name = 'run'`)).rows[0].started_at
  const first = await startedAt()
  await mainPool().query(
    `INSERT INTO rate_window (id, started_at, count) VALUES ('enter:email:x', now() - interval '2 hours', 1)`,
  )
  const asked = (await mainPool().query('SELECT now() AS now')).rows[0].now
  // The next run is due, and comes, when five minutes have passed.
  expect(await startedAt()).toEqual(first)
  expect(await countOf('rate_window')).toBe(1)
  await mainPool().query(`UPDATE retention SET started_at = now() - interval '301 seconds' WHERE name = 'run'`)
  await pollUntil('the next run', async () => (await countOf('rate_window')) === 0)
  expect((await startedAt()).getTime()).toBeGreaterThanOrEqual(asked.getTime())
  for (const stop of stops) stop()
})
