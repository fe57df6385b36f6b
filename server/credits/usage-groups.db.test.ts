import { describe, expect, test } from 'vitest'
import { takeHold } from '../../tests/support/hold'
import { moveCall } from '../../tests/support/ledger-chain'
import { makeKey, makeOwner, type TestOwner } from '../../tests/support/owners'
import { settleById } from '../../tests/support/settle'
import { inTransaction, mainPool } from '../db'
import { refundCall } from './refund'
import type { UsageDimension } from './shape'
import { sumUpUsage } from './sum-up'
import { readUsageGroups } from './usage-groups'
import { localDayOf, plusDays, type UsageBuckets } from './usage-range'
import { findLedgerDifferences } from './verify'

/** Half an hour off the hours of UTC: its days begin within one. */
const ZONE = 'Asia/Kolkata'
const TOOLS = ['web_search', 'dataset_query']
const pick = <T>(values: readonly T[]): T => values[Math.floor(Math.random() * values.length)] as T

const today = localDayOf(ZONE)
const DAYS = [-3, -2, -1, 0].map((n) => plusDays(today, n))
const bucketsOf = (isByDay: boolean): UsageBuckets => ({
  unit: 'day',
  begins: (isByDay ? DAYS : DAYS.slice(0, 1)).map((day) => `${day}T00:00`),
  end: `${plusDays(today, 1)}T00:00`,
})

type Row = { day: number | null; key: number | null; tag: string | null; customerId: number | null } & {
  product: string | null
  tool: string | null
  model: string | null
  calls: number
  credits: number
}
const NONE = { day: null, key: null, tag: null, customerId: null, product: null, tool: null, model: null }

async function readAll(owner: TestOwner, by: UsageDimension[], { limit = 1_000, keys = null as number[] | null } = {}) {
  const rows: Row[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await readUsageGroups({
      ...{ ownerId: owner.id, timeZone: ZONE, buckets: bucketsOf(by.includes('day')), by, keys, tools: TOOLS, limit },
      ...(cursor && { cursor }),
    })
    rows.push(...page.rows)
    if (page.nextCursor === null) return rows
    expect(page.rows).toHaveLength(limit)
    cursor = page.nextCursor
  }
}

/** The same, counted from each receipt. */
async function countAll(owner: TestOwner, by: UsageDimension[], tagsOf: Map<number, string[]>): Promise<Row[]> {
  const { rows } = await mainPool().query(
    `SELECT (at AT TIME ZONE $2)::date::text AS day, key_id, customer_id, product, what, charged::int AS charged FROM receipt WHERE owner_id = $1`,
    [owner.id, ZONE],
  )
  const groups = new Map<string, Row>()
  for (const { day, key_id: key, customer_id: customerId, product, what, charged } of rows) {
    const isTool = product === 'tool' || (product === 'agent' && TOOLS.includes(what))
    const tags: (string | null)[] = tagsOf.get(key)?.length ? (tagsOf.get(key) ?? []) : [null]
    for (const tag of by.includes('tag') ? tags : [null]) {
      const all = { tag, customerId, product, tool: isTool ? what : null, model: isTool ? null : what }
      const full: Record<string, unknown> = { day: DAYS.indexOf(day), key, ...all }
      const chosen = by.map((name) => (name === 'customer' ? 'customerId' : name))
      const group = { ...NONE, ...Object.fromEntries(chosen.map((name) => [name, full[name]])) }
      const id = JSON.stringify(group)
      const sum = groups.get(id) ?? { ...group, calls: 0, credits: 0 }
      groups.set(id, { ...sum, calls: sum.calls + 1, credits: sum.credits + charged })
    }
  }
  return [...groups.values()]
}

const inOneOrder = (rows: Row[]) => rows.map((row) => JSON.stringify(Object.entries(row).sort())).sort()
const sum = (rows: Row[], field: 'calls' | 'credits') => rows.reduce((total, row) => total + row[field], 0)

async function makeCalls(summed = 60, newer = 20) {
  const owner = await makeOwner(100_000)
  const keys = [await makeKey(owner, { tags: ['a'] }), await makeKey(owner, { tags: ['a', 'b'] }), await makeKey(owner)]
  const tagsOf = new Map(keys.map(({ id, tags }) => [id, tags]))
  const ids: string[] = []
  const call = async () => {
    const product = pick(['tool', 'chat', 'agent'] as const)
    const id = await takeHold(owner, 9, {
      product,
      keyId: pick([...keys.map((key) => key.id), null]),
      what: product === 'tool' ? pick(['web_search', 'gone_tool']) : pick(['a/b', 'dataset_query']),
      ...(Math.random() < 0.6 && { customerId: pick([1, 2, 3]) }),
    })
    await settleById({ id, actual: BigInt(pick([0, 2, 9])), status: pick(['ok', 'failed']) })
    const day = new Date(Date.now() - Math.random() * 2.6 * 86_400_000)
    if (Math.random() < 0.8) await moveCall(id, day)
    ids.push(id)
  }
  for (let n = 0; n < summed; n++) await call()
  await sumUpUsage()
  for (let n = 0; n < newer; n++) await call()
  return { owner, keys, tagsOf, ids }
}

describe('usage by group', () => {
  test('is what receipts and ledger say to the credit, however it is grouped', async () => {
    const { owner, keys, tagsOf, ids } = await makeCalls()
    for (const requestId of ids.slice(0, 10))
      await inTransaction((tx) => refundCall(tx, { requestId, credits: null, note: 'x' })).catch(() => null)
    const { rows } = await mainPool().query(
      'SELECT -sum(amount)::int AS charged FROM ledger WHERE owner_id = $1 AND hold_id IS NOT NULL',
      [owner.id],
    )
    const groupings: UsageDimension[][] = [
      ...(['day', 'key', 'tag', 'customer', 'product', 'tool', 'model'] as const).map((one) => [one]),
      ['day', 'customer'],
      ['key', 'customer', 'tool'],
      ['day', 'key', 'tag', 'customer', 'product', 'tool', 'model'],
    ]
    for (const by of groupings) {
      const found = await readAll(owner, by)
      expect(inOneOrder(found), by.join()).toEqual(inOneOrder(await countAll(owner, by, tagsOf)))
      if (!by.includes('tag')) {
        expect(sum(found, 'credits'), by.join()).toBe(rows[0].charged)
        expect(sum(found, 'calls'), by.join()).toBe(ids.length)
      }
      expect(await readAll(owner, by, { limit: 2 }), by.join()).toEqual(found)
    }
    const one = keys[1]?.id ?? 0
    const ofOne = await readAll(owner, ['key', 'customer'], { keys: [one] })
    expect(new Set(ofOne.map(({ key }) => key))).toEqual(new Set([one]))
    const all = await readAll(owner, ['key'])
    expect(sum(ofOne, 'credits')).toBe(all.find(({ key }) => key === one)?.credits)
    expect(await readAll(owner, ['key'], { keys: [] })).toEqual([])
    expect(await findLedgerDifferences()).toEqual([])
  })

  test('takes no cursor of other groups', async () => {
    const { owner } = await makeCalls(5, 5)
    const asked = { ownerId: owner.id, timeZone: ZONE, buckets: bucketsOf(true), keys: null, tools: [], limit: 1 }
    const { nextCursor } = await readUsageGroups({ ...asked, by: ['day', 'key'] })
    for (const cursor of [nextCursor ?? '', 'x', Buffer.from('usage:day at [1]').toString('base64url')])
      await expect(readUsageGroups({ ...asked, by: ['day'], cursor })).rejects.toMatchObject({
        code: 'invalid_request',
      })
  })
})
