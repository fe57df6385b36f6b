import { beforeAll, expect, test } from 'vitest'
import { makeKey, makeOwner, type TestOwner } from '../../tests/support/owners'
import { runRetentionTask } from '../../tests/support/retention-task'
import { mainPool } from '../db'
import { expiredReceipts } from './expired-receipts'
import { largestKeys } from './largest-keys'
import { listReceipts } from './receipts'
import type { CallFilter, OutcomeFilter } from './shape'
import { sumUpUsage } from './sum-up'
import { readUsageTotals } from './usage-totals'

/** Zones whose days begin within an hour (UTC), or have 23 or 25 hours here. */
const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Africa/Cairo']
/** Both changes of the clock in most of them. */
const [FIRST, DAYS] = ['2026-03-01', 260]
const CALLS = 3_000
const CHANNELS = ['rest', 'mcp', 'agent'] as const

const pick = <T>(values: readonly T[]): T => values[Math.floor(Math.random() * values.length)] as T

let owner: TestOwner
let keys: number[]

/** Receipts at random moments, most of which are summed. */
async function addReceipts(count: number): Promise<void> {
  await mainPool().query(
    `INSERT INTO receipt (id, at, started_at, held, charged, owner_id, key_id, status, channel, product, what, detail, seal)
     SELECT gen_random_uuid(), t.at, t.at - interval '1 second', 9, CASE WHEN status = 'void' OR n % 5 = 0 THEN 0 ELSE n % 9 END, $2,
       ($3::int[])[1 + n % cardinality($3::int[])], status, ($4::text[])[1 + n / 3 % 3], CASE n % 4 WHEN 0 THEN 'chat' ELSE 'tool' END,
       ($5::text[])[1 + n / 2 % 3], jsonb_build_object('inputTokens', n % 100, 'outputTokens', n % 7), 0
     FROM (SELECT n, (ARRAY['ok', 'ok', 'failed', 'void'])[1 + n / 5 % 4] AS status,
         $6::timestamptz + random() * make_interval(days => $7) AS at
       FROM generate_series(1, $1::int) n) t`,
    [
      count,
      owner.id,
      [...keys, null],
      CHANNELS,
      ['web_search', 'rare_tool', 'maker/model'],
      `${FIRST}T00:00:00Z`,
      DAYS,
    ],
  )
}

beforeAll(async () => {
  owner = await makeOwner()
  keys = [(await makeKey(owner)).id, (await makeKey(owner)).id]
  await addReceipts(CALLS)
  await sumUpUsage()
  // Some that came late, and some that changed after they were summed.
  await addReceipts(200)
  await mainPool().query(
    `UPDATE receipt SET charged = 0, status = 'void' WHERE owner_id = $1 AND charged = 7 AND random() < 0.5`,
    [owner.id],
  )
})

type Given = CallFilter & { from: string; to: string; timeZone: string }

const CONDITIONS: Record<OutcomeFilter, string> = {
  ok: `status = 'ok'`,
  failed: `status <> 'ok'`,
  failed_charged: `status <> 'ok' AND charged > 0`,
  failed_free: `status <> 'ok' AND charged = 0`,
}

/** The same total, counted from the receipts. */
async function countReceipts({ keyId, what, channel, product, outcome, from, to, timeZone }: Given) {
  const { rows } = await mainPool().query(
    `SELECT count(*)::int AS calls, coalesce(sum(charged), 0)::int AS charged, count(*) FILTER (WHERE status <> 'ok')::int AS failed,
       coalesce(sum(usage_tokens(product, detail, 'inputTokens')), 0)::int AS "inputTokens",
       coalesce(sum(usage_tokens(product, detail, 'outputTokens')), 0)::int AS "outputTokens"
     FROM receipt WHERE owner_id = $1 AND ($2::int IS NULL OR key_id = $2) AND ($3::text IS NULL OR what = $3)
       AND ($4::text IS NULL OR channel = $4) AND ($5::text IS NULL OR product = $5)
       AND (at AT TIME ZONE $6)::date BETWEEN $7::date AND $8::date AND ${outcome ? CONDITIONS[outcome] : 'true'}`,
    [owner.id, keyId, what, channel, product, timeZone, from, to],
  )
  return rows[0]
}

const today = '2026-12-31'
const isTool = (what: string) => what.endsWith('_tool')
const day = (n: number) => new Date(Date.parse(`${FIRST}T00:00Z`) + n * 86_400_000).toISOString().slice(0, 10)

function randomFilter(): Given {
  const first = Math.floor(Math.random() * DAYS)
  return {
    keyId: pick([undefined, ...keys]),
    what: pick([undefined, undefined, 'web_search', 'rare_tool']),
    channel: pick([undefined, undefined, ...CHANNELS]),
    product: pick([undefined, 'tool', 'chat'] as const),
    outcome: pick([undefined, undefined, 'ok', 'failed', 'failed_charged', 'failed_free'] as const),
    from: day(first),
    to: day(first + pick([0, 1, 6, 29, 120, 400])),
    timeZone: pick(ZONES),
  }
}

test('totals of any filter over any days of any zone are the sums of its receipts', async () => {
  for (let i = 0; i < 120; i++) {
    const filter = randomFilter()
    const by = pick(['product', 'tool', 'model', 'key', 'channel'] as const)
    const totals = await readUsageTotals(owner.id, { filter, by, today, isTool })
    expect(totals.total, JSON.stringify({ filter, by })).toEqual(await countReceipts(filter))
    const values = totals.series.flatMap((one) => one.values)
    expect(values.reduce((sum, value) => sum + value, 0)).toBe(totals.total.charged)
    expect(totals.series.reduce((sum, { calls }) => sum + calls, 0)).toBe(totals.total.calls)
    for (const { values: own } of totals.series) expect(own).toHaveLength(totals.buckets.length)
  }
})

test('keys are ranked by what they spent on any UTC days, of whole months, of parts, and of both', async () => {
  for (let i = 0; i < 60; i++) {
    const first = Math.floor(Math.random() * DAYS)
    const [from, to] = [day(first), day(first + pick([0, 6, 29, 30, 45, 90, 400]))]
    const { rows } = await mainPool().query<{ id: number }>(
      `SELECT coalesce(key_id, 0) AS id FROM receipt WHERE owner_id = $1 AND (at AT TIME ZONE 'UTC')::date BETWEEN $2 AND $3
       GROUP BY 1 ORDER BY sum(charged) DESC, count(*) DESC, 1`,
      [owner.id, from, to],
    )
    const ranked = await largestKeys(owner.id, { from, to, timeZone: 'UTC', max: 10 })
    expect(ranked, `${from} to ${to}`).toEqual(rows.map(({ id }) => id))
  }
})

test.each(ZONES)('days of %s have the receipts whose local day they are', async (timeZone) => {
  const { rows } = await mainPool().query(
    `SELECT (at AT TIME ZONE $2)::date::text AS day, sum(charged)::int AS charged FROM receipt
     WHERE owner_id = $1 AND (at AT TIME ZONE $2)::date BETWEEN '2026-03-05' AND '2026-05-10' GROUP BY 1`,
    [owner.id, timeZone],
  )
  const counted = new Map(rows.map((row) => [row.day, row.charged]))
  const filter = { from: '2026-03-05', to: '2026-05-10', timeZone }
  const { buckets, series, unit } = await readUsageTotals(owner.id, { filter, by: 'product', today, isTool })
  expect(unit).toBe('day')
  const sums = buckets.map((_, i) => series.reduce((sum, { values }) => sum + (values[i] ?? 0), 0))
  expect(sums).toEqual(buckets.map((bucket) => counted.get(bucket.slice(0, 10)) ?? 0))
})

test('lists of any filter over any days have the receipts that the totals count, in order and over pages', async () => {
  for (let i = 0; i < 60; i++) {
    const filter = randomFilter()
    const { calls } = await countReceipts(filter)
    const found: { at: string; id: string }[] = []
    for (let cursor: string | undefined; ; ) {
      const page = await listReceipts(owner.id, { ...filter, limit: 100, cursor })
      found.push(...page.rows.map(({ at, requestId }) => ({ at, id: requestId })))
      if (page.nextCursor === null) break
      cursor = page.nextCursor
    }
    expect(found.length, JSON.stringify(filter)).toBe(calls)
    expect(new Set(found.map(({ id }) => id)).size).toBe(calls)
    expect(found.map(({ at }) => at)).toEqual(
      found
        .map(({ at }) => at)
        .sort()
        .reverse(),
    )
  }
})

test('another owner sees none of it', async () => {
  const other = await makeOwner()
  const filter = { timeZone: 'UTC', keyId: keys[0] }
  const { total } = await readUsageTotals(other.id, { filter, by: 'key', today, isTool })
  expect(total.calls).toBe(0)
})

test('totals stay when their receipts expire', async () => {
  const filter = { timeZone: 'Europe/Berlin' }
  const asked = { filter, by: 'tool', today, isTool } as const
  const before = await readUsageTotals(owner.id, asked)
  const { deleted } = await runRetentionTask(expiredReceipts(2))
  expect(deleted).toBeGreaterThan(CALLS / 2)
  expect(await readUsageTotals(owner.id, asked)).toEqual(before)
})
