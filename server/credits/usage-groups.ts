import { runRead } from '../db'
import { invalidCursor, readSortedCursor } from '../errors'
import { encodeSortedCursor } from '../kit/cursor'
import type { ReadOptions } from '../kit/pg-read'
import { statementFamily } from '../kit/statement'
import { statementValues } from './receipt-filter'
import type { UsageDimension } from './shape'
import type { UsageBuckets } from './usage-range'
import { bucketBounds, PIECES } from './usage-sums'

type Asked = {
  ownerId: number
  timeZone: string
  /** Days, or one bucket where nothing is grouped by day. */
  buckets: UsageBuckets
  by: readonly UsageDimension[]
  /** Only calls of these keys; null: of all. */
  keys: readonly number[] | null
  /** Ids of tools: what else agents called is a model. */
  tools: readonly string[]
  limit: number
  cursor?: string
}

/** What the calls of one group were charged, in the order of their groups. */
export type UsageGroup = {
  /** Which bucket, from 0. */
  day: number | null
  key: number | null
  tag: string | null
  customerId: number | null
  product: 'tool' | 'chat' | 'agent' | null
  tool: string | null
  model: string | null
  calls: number
  credits: number
}

const COLUMNS = {
  position: 'text[]',
  day: 'int?',
  key: 'int?',
  tag: 'text?',
  customer: 'int?',
  product: ['tool', 'chat', 'agent', null],
  tool: 'text?',
  model: 'text?',
  calls: 'bigint',
  credits: 'bigint',
} as const

const groupsQuery = statementFamily({ name: 'usage_groups', columns: COLUMNS, samples: sampleQueries })

/** Each dimension's column, from a row of sums `s`; `tools`: the placeholder of tool ids. */
const columnsOf = (tools: string): Record<UsageDimension, { name: string; sql: string; none: string }> => {
  const isTool = `(s.product = 'tool' OR s.product = 'agent' AND s.what = ANY (${tools}))`
  return {
    day: { name: 'day', sql: 's.n', none: 'NULL::int' },
    key: { name: 'key', sql: 'nullif(s.key_id, 0)', none: 'NULL::int' },
    tag: { name: 'tag', sql: 't.tag', none: 'NULL::text' },
    customer: { name: 'customer', sql: 's.customer_id', none: 'NULL::int' },
    product: { name: 'product', sql: 's.product', none: 'NULL::text' },
    tool: { name: 'tool', sql: `CASE WHEN ${isTool} THEN s.what END`, none: 'NULL::text' },
    model: { name: 'model', sql: `CASE WHEN NOT ${isTool} THEN s.what END`, none: 'NULL::text' },
  }
}

/** Numbers in the order of their size, as texts. */
const asText = ({ name }: { name: string }) =>
  ['day', 'key', 'customer'].includes(name) ? `coalesce(lpad(g.${name}::text, 10, '0'), '')` : `coalesce(g.${name}, '')`

/**
 * Sums by hour and the receipts that no whole, summed hour covers. Calls of no customer are those
 * of all less those of customers: sums are kept of the latter alone.
 */
function partsOf(
  isOfCustomers: boolean,
  { owner, ofKeys }: { owner: string; ofKeys: (key: string) => string },
): string {
  const inHours = (table: string, columns: string, keys: string) => `
    SELECT b.n, x.* FROM bucket b CROSS JOIN LATERAL (
      SELECT ${columns} FROM ${table} u WHERE u.owner_id = ${owner}${keys} AND u.hour >= b.first_hour AND u.hour < b.last_hour
      GROUP BY 1, 2, 3, 4) x`
  const summed = (customer: string, times: string) =>
    `u.key_id, u.product, u.what, ${customer} AS customer_id, ${times}sum(u.calls) AS calls, ${times}sum(u.charged) AS charged`
  const parts = [
    `SELECT p.n, x.* FROM piece p CROSS JOIN LATERAL (
      SELECT coalesce(r.key_id, 0) AS key_id, r.product, r.what, r.customer_id, count(*) AS calls, sum(r.charged) AS charged FROM receipt r
      WHERE r.owner_id = ${owner}${ofKeys('coalesce(r.key_id, 0)')} AND r.at >= p.since AND r.at < p.until GROUP BY 1, 2, 3, 4) x`,
    inHours('usage_hour', summed('NULL::int', ''), ofKeys('u.key_id') || ' AND u.key_id = -1'),
    ...(isOfCustomers
      ? [
          inHours('usage_customer_hour', summed('u.customer_id', ''), ofKeys('u.key_id')),
          inHours('usage_customer_hour', summed('NULL::int', '-'), ofKeys('u.key_id')),
        ]
      : []),
  ]
  return parts.join(' UNION ALL ')
}

/** The statement of some groups, with its values. */
export function usageGroupsQuery({ ownerId, timeZone, buckets, by, keys, tools, limit, cursor }: Asked) {
  const { values, given } = statementValues()
  const owner = given(ownerId)
  const bounds = bucketBounds({
    begins: `${given(buckets.begins)}::timestamp[]`,
    end: `${given(buckets.end)}::timestamp`,
    zone: `${given(timeZone)}::text`,
  })
  // Each key's hours are found by index: those of all keys would be read whole.
  const isByKey = keys !== null || by.includes('key') || by.includes('tag')
  const named = keys && `${given(keys)}::int[]`
  const ofKeys = (key: string) =>
    named
      ? ` AND ${key} = ANY (${named})`
      : isByKey && key.startsWith('u.')
        ? ` AND ${key} = ANY (ARRAY(SELECT 0 UNION ALL SELECT k.id FROM "key" k WHERE k.owner_id = ${owner}))`
        : ''
  const customers = by.includes('customer')
  const isByWhat = by.includes('tool') || by.includes('model')
  const columns = columnsOf(isByWhat ? `${given(tools)}::text[]` : 'NULL')
  const all = Object.values(columns)
  const chosen = by.map((dimension) => columns[dimension])
  const tags = by.includes('tag')
    ? ` CROSS JOIN LATERAL (SELECT tag FROM "key" k CROSS JOIN unnest(k.tags) tag WHERE k.id = s.key_id AND k.owner_id = ${owner}
      UNION ALL SELECT NULL WHERE NOT EXISTS (SELECT FROM "key" k WHERE k.id = s.key_id AND k.owner_id = ${owner} AND k.tags <> '{}')) t`
    : ''
  const after = cursor === undefined ? '' : ` WHERE position > ${given(positionOf(cursor, by))}::text[]`
  return {
    values,
    statement: groupsQuery(`WITH ${bounds}, ${PIECES},
  s AS (${partsOf(customers, { owner, ofKeys })}),
  g AS (SELECT ${all.map((column) => `${chosen.includes(column) ? column.sql : column.none} AS ${column.name}`).join(', ')},
    sum(s.calls) AS calls, sum(s.charged) AS charged FROM s${tags} GROUP BY 1, 2, 3, 4, 5, 6, 7 HAVING sum(s.calls) <> 0 OR sum(s.charged) <> 0),
  listed AS (SELECT ARRAY[${chosen.map(asText).join(', ')}]::text[] COLLATE "C" AS position, g.* FROM g)
  SELECT position, ${all.map(({ name }) => name).join(', ')}, calls::bigint AS calls, charged::bigint AS credits
  FROM listed${after} ORDER BY position LIMIT ${given(limit + 1)}::int`),
  }
}

const orderOf = (by: readonly UsageDimension[]): string => `usage:${by.join(',')}`

/** The position in a cursor. Throws `invalid_request` for one of other groups. */
function positionOf(cursor: string, by: readonly UsageDimension[]): string[] {
  const after = readSortedCursor(cursor, { order: orderOf(by), values: 'text', isId: (id) => id === 'at' })
  try {
    const position: unknown = JSON.parse(after?.value ?? '')
    if (Array.isArray(position) && position.length === by.length && position.every((text) => typeof text === 'string'))
      return position
  } catch {
    throw invalidCursor()
  }
  throw invalidCursor()
}

/**
 * What an owner's calls were charged, by group, in the order of the groups. Calls with a key that
 * has two tags are in the groups of both. Throws `invalid_request` for a cursor of other groups.
 */
export async function readUsageGroups(
  asked: Asked,
  options?: ReadOptions,
): Promise<{ rows: UsageGroup[]; nextCursor: string | null }> {
  const { statement, values } = usageGroupsQuery(asked)
  const found = await runRead(statement, values, options)
  const page = found.slice(0, asked.limit)
  const last = page.at(-1)
  return {
    rows: page.map(({ position: _, customer, calls, credits, ...group }) => ({
      ...group,
      customerId: customer,
      calls: Number(calls),
      credits: Number(credits),
    })),
    nextCursor:
      found.length > asked.limit && last
        ? encodeSortedCursor(orderOf(asked.by), { value: JSON.stringify(last.position), id: 'at' })
        : null,
  }
}

/** A query of every dimension, of all together, and of every condition. */
function sampleQueries(): string[] {
  const buckets: UsageBuckets = { unit: 'day', begins: ['2026-01-01T00:00'], end: '2026-01-02T00:00' }
  const all: UsageDimension[] = ['day', 'key', 'tag', 'customer', 'product', 'tool', 'model']
  const asked = { ownerId: 1, timeZone: 'UTC', buckets, tools: [], limit: 5 }
  return [...all.map((one) => [one]), all].flatMap((by) =>
    [null, [1]].flatMap((keys) => {
      const cursor = encodeSortedCursor(orderOf(by), { value: JSON.stringify(by), id: 'at' })
      return [{}, { cursor }].map((page) => usageGroupsQuery({ ...asked, by, keys, ...page }).statement.text)
    }),
  )
}
