import { afterAll, expect, it } from 'vitest'
import { startRetention } from '../../server/cli/kit/retention'
import { findLedgerDifferences } from '../../server/credits/verify'
import { mainPool } from '../../server/db'
import { runAdmin, runAdminJson } from '../support/admin-process'
import { fillHistory } from '../support/history'
import { makeCaller } from '../support/owners'
import { pollUntil } from '../support/poll-until'
import { withTemporaryStorage } from '../support/temporary-storage'

withTemporaryStorage()
afterAll(async () => expect(await findLedgerDifferences()).toEqual([]))

type Preview = { dryRun: boolean; rows: { name: string; count: number }[] }
const receiptsIn = ({ rows }: Preview) => rows.find(({ name }) => name === 'receipts')?.count
const retain = async (args: string[] = [], env: Record<string, string> = {}): Promise<Preview> =>
  JSON.parse((await runAdmin(['retention', '--json', ...args], { env })).stdout)

const countOf = async (table: string) => (await mainPool().query(`SELECT count(*)::int AS n FROM ${table}`)).rows[0].n

it('admin retention --dry-run says what a run would delete and deletes nothing; without it, it is deleted', async () => {
  const { owner, key } = await makeCaller()
  await fillHistory({ ownerId: owner.id, keyIds: [key.id], count: 900, days: 60 })
  const kept = { RETAIN_RECEIPTS_DAYS: '31' }
  const preview = await retain(['--dry-run'], kept)
  const due = receiptsIn(preview) ?? 0
  expect(preview.dryRun).toBe(true)
  expect(due).toBeGreaterThan(400)
  expect(await countOf('receipt')).toBe(900)
  const deleted = await retain([], kept)
  expect([deleted.dryRun, receiptsIn(deleted)]).toEqual([false, due])
  expect(await countOf('receipt')).toBe(900 - due)
  const { stdout } = await runAdmin(['retention', '--dry-run'], { env: kept })
  expect(stdout).toMatch(/A run would delete\n +0 {2}receipts\n/)
  expect(await runAdminJson(['ledger', 'verify'])).toEqual({ code: 0, ok: true, differences: [] })
})

it('is refused with less than 31 days of receipts, and keeps them for good by default', async () => {
  expect(await runAdmin(['retention'], { env: { RETAIN_RECEIPTS_DAYS: '30' } })).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/RETAIN_RECEIPTS_DAYS must be 0 \(.+\) or at least 31/),
  })
  expect(receiptsIn(await retain(['--dry-run']))).toBeUndefined()
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
