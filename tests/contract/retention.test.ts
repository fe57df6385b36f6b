import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'
import { ROOT } from '../../server/cli/project'
import { keepRetention } from '../../server/cli/retention'
import { verifyLedger } from '../../server/credits/verify'
import { pool } from '../../server/db'
import { fillHistory } from '../support/history'
import { makeCaller } from '../support/make'
import { withOwnDatabase } from '../support/own-database'
import { withOwnStorage } from '../support/own-storage'
import { until } from '../support/web'

withOwnDatabase()
withOwnStorage()
afterAll(async () => expect(await verifyLedger()).toEqual([]))

/** Runs an operator's command as npm does, on this test's database. */
async function admin(args: string[], env: Record<string, string> = {}) {
  const script = path.join(ROOT, 'server/cli/admin.ts')
  return promisify(execFile)(process.execPath, ['--import', 'tsx', script, ...args], {
    cwd: ROOT,
    env: { ...process.env, ...env },
  })
}

type Told = { dryRun: boolean; rows: { name: string; count: number }[] }
const receiptsIn = (told: Told) => told.rows.find(({ name }) => name === 'receipts')?.count

const countOf = async (table: string) => (await pool().query(`SELECT count(*)::int AS n FROM ${table}`)).rows[0].n

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
  await pool().query(`UPDATE retention SET started_at = NULL WHERE name = 'run'`)
  await pool().query(
    `INSERT INTO rate_window (id, started_at, count) SELECT 'enter:address:' || n, now() - interval '2 hours', 1
     FROM generate_series(1, 1200) n`,
  )
  const stops = [1, 2, 3].map(() => keepRetention(50))
  await until('the run', async () => (await countOf('rate_window')) === 0)
  const startedAt = async () =>
    (await pool().query(`SELECT started_at FROM retention WHERE name = 'run'`)).rows[0].started_at
  const first = await startedAt()
  await pool().query(
    `INSERT INTO rate_window (id, started_at, count) VALUES ('enter:email:x', now() - interval '2 hours', 1)`,
  )
  const asked = (await pool().query('SELECT now() AS now')).rows[0].now
  // The next run is due, and comes, when five minutes have passed.
  expect(await startedAt()).toEqual(first)
  expect(await countOf('rate_window')).toBe(1)
  await pool().query(`UPDATE retention SET started_at = now() - interval '301 seconds' WHERE name = 'run'`)
  await until('the next run', async () => (await countOf('rate_window')) === 0)
  expect((await startedAt()).getTime()).toBeGreaterThanOrEqual(asked.getTime())
  for (const stop of stops) stop()
})
