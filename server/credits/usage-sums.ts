import { runRead } from '../db'
import type { ReadOptions } from '../kit/pg-read'
import { statementFamily } from '../kit/statement'
import { type ReceiptFilter, receiptConditions, statementValues, summedConditions } from './receipt-filter'
import type { UsageBuckets } from './usage-range'

/** What sums are grouped by: as sums by hour (`u`) and as receipts (`r`) have it. */
const GROUPS = {
  nothing: { summed: `''`, receipt: `''` },
  product: { summed: 'u.product', receipt: 'r.product' },
  what: { summed: `u.product || ' ' || u.what`, receipt: `r.product || ' ' || r.what` },
  channel: { summed: 'u.channel', receipt: 'r.channel' },
  key: { summed: 'u.key_id::text', receipt: 'coalesce(r.key_id, 0)::text' },
} as const
export type SumGroup = keyof typeof GROUPS

/**
 * Sums of a group's calls in a bucket, counted from 0. `what` is product and id with a space
 * between.
 */
export type BucketSum = {
  bucket: number
  group: string
  calls: number
  charged: number
  failed: number
  inputTokens: number
  outputTokens: number
}

type Asked = {
  ownerId: number
  /** Its days are those of the buckets. */
  filter: ReceiptFilter & { timeZone: string }
  group: SumGroup
  /** Only calls of these keys; null: of all. */
  keys: readonly number[] | null
  buckets: UsageBuckets
}

const COLUMNS = {
  bucket: 'int',
  bucket_group: 'text',
  calls: 'numeric',
  charged: 'numeric',
  failed: 'numeric',
  input_tokens: 'numeric',
  output_tokens: 'numeric',
} as const

const sumQuery = statementFamily({ name: 'usage_sums', columns: COLUMNS, samples: sampleQueries })

/**
 * The buckets' bounds, and the whole hours (UTC) in each. Days begin when they do in the zone, so
 * one may have 23 or 25 hours, and begin within an hour; an hour that a clock skips is empty.
 */
export const bucketBounds = ({ begins, end, zone }: Record<'begins' | 'end' | 'zone', string>) => `edge AS (
    SELECT n - 1 AS n, begin AT TIME ZONE ${zone} AS since,
      coalesce(lead(begin) OVER (ORDER BY n), ${end}) AT TIME ZONE ${zone} AS until
    FROM unnest(${begins}) WITH ORDINALITY b (begin, n)
  ), bucket AS MATERIALIZED (
    SELECT n::int, since, until, date_trunc('hour', until, 'UTC') AS last_hour,
      date_trunc('hour', since + interval '1 hour' - interval '1 microsecond', 'UTC') AS first_hour
    FROM edge WHERE since < until
  )`

/** Parts of buckets that no whole, summed hour covers: their calls are read from receipts. */
export const PIECES = `piece AS MATERIALIZED (
    SELECT n, since AS since, least(first_hour, until) AS until FROM bucket WHERE since < first_hour
    UNION ALL SELECT n, last_hour, until FROM bucket WHERE first_hour <= last_hour AND last_hour < until
    UNION ALL SELECT n, greatest(first_hour, (SELECT until FROM usage_summed)), last_hour FROM bucket
      WHERE greatest(first_hour, (SELECT until FROM usage_summed)) < last_hour
  )`

const SUMS_OF_RECEIPTS = `count(*) AS calls, sum(r.charged) AS charged, count(*) FILTER (WHERE r.status <> 'ok') AS failed,
      sum(usage_tokens(r.product, r.detail, 'inputTokens')) AS input_tokens,
      sum(usage_tokens(r.product, r.detail, 'outputTokens')) AS output_tokens`

function makeQuery({ ownerId, filter, group, keys, buckets }: Asked) {
  const { values, given } = statementValues()
  const owner = given(ownerId)
  const bounds = bucketBounds({
    begins: `${given(buckets.begins)}::timestamp[]`,
    end: `${given(buckets.end)}::timestamp`,
    zone: `${given(filter.timeZone)}::text`,
  })
  const ofKeys = keys === null ? null : `${given(keys)}::int[]`
  // Sums by hour know neither jobs nor customers.
  const isOfReceipts = filter.jobId !== undefined || filter.customer !== undefined
  const receipts = [
    ...receiptConditions({ ...filter, keyId: undefined }, given, owner),
    ...(ofKeys ? [`coalesce(r.key_id, 0) = ANY (${ofKeys})`] : []),
  ]
  const fromReceipts = (pieces: string) => `SELECT p.n, x.* FROM ${pieces} p CROSS JOIN LATERAL (
      SELECT ${GROUPS[group].receipt} AS g, ${SUMS_OF_RECEIPTS} FROM receipt r
      WHERE ${receipts.join(' AND ')} AND r.at >= p.since AND r.at < p.until GROUP BY 1) x`
  const parts = isOfReceipts
    ? fromReceipts('bucket')
    : `${fromReceipts('piece')}
    UNION ALL SELECT b.n, x.* FROM bucket b CROSS JOIN LATERAL (
      SELECT ${GROUPS[group].summed} AS g, sum(u.calls) AS calls, sum(u.charged) AS charged,
        sum(u.calls) FILTER (WHERE u.outcome <> 'ok') AS failed, sum(u.input_tokens) AS input_tokens, sum(u.output_tokens) AS output_tokens
      FROM usage_hour u WHERE ${[
        `u.owner_id = ${owner} AND u.key_id = ${ofKeys ? `ANY (${ofKeys})` : '-1'}`,
        ...summedConditions(filter, given),
      ].join(' AND ')} AND u.hour >= b.first_hour AND u.hour < b.last_hour GROUP BY 1) x`
  return {
    values,
    statement: sumQuery(`WITH ${bounds}${isOfReceipts ? '' : `, ${PIECES}`}
  SELECT n AS bucket, g AS bucket_group, coalesce(sum(calls), 0) AS calls, coalesce(sum(charged), 0) AS charged,
    coalesce(sum(failed), 0) AS failed, coalesce(sum(input_tokens), 0) AS input_tokens, coalesce(sum(output_tokens), 0) AS output_tokens
  FROM (${parts}) part GROUP BY 1, 2 HAVING sum(calls) <> 0 ORDER BY 1, 2`),
  }
}

/**
 * Sums of an owner's calls per bucket and group, from one snapshot. Buckets without calls are left
 * out.
 */
export async function sumUsage(asked: Asked, options?: ReadOptions): Promise<BucketSum[]> {
  const { statement, values } = makeQuery(asked)
  return (await runRead(statement, values, options)).map((row) => ({
    bucket: row.bucket,
    group: row.bucket_group,
    calls: Number(row.calls),
    charged: Number(row.charged),
    failed: Number(row.failed),
    inputTokens: Number(row.input_tokens),
    outputTokens: Number(row.output_tokens),
  }))
}

/** A query of every group, and of every kind of filter. */
function sampleQueries(): string[] {
  const days = { timeZone: 'UTC' }
  const buckets: UsageBuckets = { unit: 'day', begins: ['2026-01-01T00:00'], end: '2026-01-02T00:00' }
  const all = { what: 'x', channel: 'mcp', product: 'chat', status: 'ok', outcome: 'failed' } as const
  const filters = [
    days,
    { ...days, ...all },
    { ...days, customer: 'a' },
    { ...days, ...all, jobId: '00000000-0000-7000-8000-000000000000' },
  ]
  return (Object.keys(GROUPS) as SumGroup[]).flatMap((group) =>
    filters.flatMap((filter) =>
      [null, [1]].map((keys) => makeQuery({ ownerId: 1, filter, group, keys, buckets }).statement.text),
    ),
  )
}
