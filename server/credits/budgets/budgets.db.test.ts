import { describe, expect, test } from 'vitest'
import { makeTestBudget } from '../../../tests/support/budget'
import { holdRequest, takeHold } from '../../../tests/support/hold'
import { joinSomebody, makeCaller, makeKey, makeKeyBy, makeOwner, type TestOwner } from '../../../tests/support/owners'
import { settleById, voidHoldById } from '../../../tests/support/settle'
import { inTransaction, mainPool } from '../../db'
import type { ReserveRequest } from '../hold-request'
import { repairLedger } from '../repair'
import { reserveCredits } from '../reserve'
import { findLedgerDifferences } from '../verify'
import { changeBudget, deleteBudget, findBudgetByExternalId, getBudget, listBudgets } from './change'
import { nameFits } from './find'
import { listBudgetCustomers } from './rows'
import type { BudgetInput } from './shape'

const change = (owner: TestOwner, id: string, changes: Parameters<typeof changeBudget>[3]) =>
  inTransaction((tx) => changeBudget(tx, owner.id, id, changes))
const hold = (owner: TestOwner, credits: number, given: Partial<ReserveRequest> = {}) => takeHold(owner, credits, given)
const ok = { status: 'ok' } as const
const short = (limit: Record<string, unknown>) => ({
  code: 'insufficient_credits',
  detail: { limitSource: 'budget', limit },
})

describe('a budget', () => {
  test('counts what calls hold and are charged, and refuses the one beyond it by name', async () => {
    const owner = await makeOwner(1_000)
    const { id } = await makeTestBudget(owner, { window: 'month' })
    const first = await hold(owner, 60)
    expect(await getBudget(owner.id, id)).toMatchObject({ spent: 0, held: 60 })
    await settleById({ id: first, actual: 50n, ...ok })
    const begun = await getBudget(owner.id, id)
    expect(begun).toMatchObject({ spent: 50, held: 0, credits: 100, window: 'month' })
    await expect(reserveCredits(holdRequest(owner, 51))).rejects.toMatchObject(
      short({ id, name: 'shop', window: 'month', cap: 100, spent: 50, held: 0, resetsAt: begun.resetsAt }),
    )
    expect(Date.parse(begun.resetsAt ?? '')).toBeGreaterThan(Date.now())
    await hold(owner, 50)
    expect(await findLedgerDifferences()).toEqual([])
  })

  test.each<[string, BudgetInput['scope'], Partial<ReserveRequest>, Partial<ReserveRequest>]>([
    ['products', { products: ['chat'] }, { product: 'chat' }, { product: 'tool' }],
    ['tools', { tools: ['web_*'] }, { what: 'web_search' }, { what: 'crypto_get_prices' }],
    [
      'models',
      { models: ['anthropic/*'] },
      { product: 'chat', what: 'anthropic/x' },
      { product: 'chat', what: 'openai/x' },
    ],
    ['tools or models', { tools: ['web_search'], models: ['a/*'] }, { product: 'agent', what: 'a/b' }, { what: 'b' }],
    ['customers', { customers: [3, 4] }, { customerId: 4 }, { customerId: 5 }],
    ['no customer', { customers: [3] }, { customerId: 3 }, {}],
  ])('is of %s where it says so', async (_, scope, counted, other) => {
    const owner = await makeOwner(1_000)
    const { id } = await makeTestBudget(owner, { scope })
    await hold(owner, 30, counted)
    await hold(owner, 200, other)
    expect(await getBudget(owner.id, id)).toMatchObject({ held: 30 })
  })

  test('of a tag counts the keys that have it, from the change of a tag on', async () => {
    const { owner, key } = await makeCaller(1_000)
    const { id } = await makeTestBudget(owner, { scope: { tags: ['shop'] } })
    await hold(owner, 10, { keyId: key.id })
    const tagged = await makeKey(owner, { tags: ['shop'] })
    await hold(owner, 20, { keyId: tagged.id })
    await mainPool().query(`UPDATE "key" SET tags = '{shop}' WHERE id = $1`, [key.id])
    await hold(owner, 30, { keyId: key.id })
    expect(await getBudget(owner.id, id)).toMatchObject({ held: 50 })
    expect(await findLedgerDifferences()).toEqual([])
  })

  test('of a member counts the keys that they made, and what they run at the dashboard', async () => {
    const { owner, key } = await makeCaller(1_000)
    const person = await joinSomebody(owner.id)
    const { id } = await makeTestBudget(owner, { scope: { members: [person] } })
    await hold(owner, 10, { keyId: key.id })
    await hold(owner, 10, { personId: owner.id })
    expect(await getBudget(owner.id, id)).toMatchObject({ held: 0 })
    // A key that is made later is found by every process.
    const made = await makeKeyBy(owner, person)
    await hold(owner, 20, { keyId: made.id })
    await hold(owner, 30, { personId: person })
    // A run that the member started under somebody else's key.
    await hold(owner, 40, { keyId: key.id, personId: person, product: 'agent' })
    expect(await getBudget(owner.id, id)).toMatchObject({ held: 90 })
    await expect(reserveCredits(holdRequest(owner, 11, { keyId: made.id }))).rejects.toMatchObject(
      short({ id, name: 'shop', cap: 100, held: 90 }),
    )
    expect(await findLedgerDifferences()).toEqual([])
  })

  test('of a member with 100 credits lets exactly 100 of 200 concurrent calls of theirs in', async () => {
    const { owner, key } = await makeCaller(1_000)
    const person = await joinSomebody(owner.id)
    const made = await makeKeyBy(owner, person)
    const { id } = await makeTestBudget(owner, { scope: { members: [person] } })
    const ways = [{ keyId: made.id }, { personId: person }, { keyId: key.id, personId: person }]
    const answers = await Promise.allSettled(
      Array.from({ length: 200 }, (_, n) => reserveCredits(holdRequest(owner, 1, ways[n % ways.length]))),
    )
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(100)
    for (const answer of answers)
      if (answer.status === 'rejected') expect(answer.reason).toMatchObject(short({ id, cap: 100, held: 100 }))
    expect(await getBudget(owner.id, id)).toMatchObject({ spent: 0, held: 100 })
    expect(await findLedgerDifferences()).toEqual([])
  })

  test('of each customer counts one by one', async () => {
    const owner = await makeOwner(1_000)
    const { id } = await makeTestBudget(owner, { scope: { customers: 'each' }, window: 'month' })
    await Promise.all([1, 2, 3].map((customerId) => hold(owner, 70, { customerId })))
    await expect(reserveCredits(holdRequest(owner, 101, { customerId: 2 }))).rejects.toMatchObject(
      short({ id, name: 'shop', cap: 100, held: 70 }),
    )
    await hold(owner, 100, { customerId: 9 })
    await hold(owner, 300)
    const { rows } = await listBudgetCustomers(owner.id, id, { limit: 3 })
    expect(rows.map(({ customerId, held }) => [customerId, held])).toEqual([
      [1, 70],
      [2, 70],
      [3, 70],
    ])
    expect(await getBudget(owner.id, id)).toMatchObject({ held: 310 })
    expect(await findLedgerDifferences()).toEqual([])
  })

  test('changed in one process holds for the next call of every other', async () => {
    const owner = await makeOwner(1_000)
    const { id } = await makeTestBudget(owner, {})
    await hold(owner, 10)
    await change(owner, id, { credits: 5 })
    // This process keeps the compiled budgets; the ledger says that they are old.
    await expect(reserveCredits(holdRequest(owner, 1))).rejects.toMatchObject(short({ cap: 5, held: 10 }))
    await change(owner, id, { credits: 500, name: 'more', scope: { products: ['chat'] } })
    await hold(owner, 400)
    await hold(owner, 400, { product: 'chat' })
    expect(await getBudget(owner.id, id)).toMatchObject({ name: 'more', held: 410 })
    await inTransaction((tx) => deleteBudget(tx, owner.id, id))
    await hold(owner, 100, { product: 'chat' })
    await expect(getBudget(owner.id, id)).rejects.toMatchObject({ code: 'not_found' })
    expect(await listBudgets(owner.id, { limit: 10 })).toEqual({ rows: [], nextCursor: null })
    expect(await findLedgerDifferences()).toEqual([])
  })

  test('begins anew with its window, and counts a call where its hold was taken', async () => {
    const owner = await makeOwner(1_000)
    const { id } = await makeTestBudget(owner, { window: 'day' })
    const [kept, ended] = [await hold(owner, 40), await hold(owner, 50)]
    await settleById({ id: ended, actual: 50n, ...ok })
    await mainPool().query(
      `UPDATE spend_limit SET starts_at = now() - interval '2 days', ends_at = now() - interval '1 ms' WHERE id = $1`,
      [id],
    )
    expect(await getBudget(owner.id, id)).toMatchObject({ spent: 0, held: 0 })
    await hold(owner, 90)
    await settleById({ id: kept, actual: 45n, extend: true, ...ok })
    // Of the old window's call only what it cost beyond its hold.
    expect(await getBudget(owner.id, id)).toMatchObject({ spent: 5, held: 90 })
    expect(await findLedgerDifferences()).toEqual([])
  })

  test('limits what a metered call takes beyond its hold, and says so', async () => {
    const owner = await makeOwner(1_000)
    await makeTestBudget(owner, { credits: 100 })
    const id = await hold(owner, 20)
    expect(await settleById({ id, actual: 180n, extend: true, ...ok })).toMatchObject({
      charged: 100n,
      limit: 'budget',
      shown: { name: 'shop', cap: 100, spent: 100, held: 0 },
    })
  })

  test('lets a call wait for credits that others hold under it', async () => {
    const owner = await makeOwner(1_000)
    await makeTestBudget(owner, { credits: 100 })
    const first = await hold(owner, 80)
    const waiting = reserveCredits(holdRequest(owner, 50))
    setTimeout(() => void voidHoldById(first), 150)
    expect(await waiting).toMatchObject({ kind: 'held', amount: 50n })
  })

  test('is not another account’s', async () => {
    const [mine, other] = [await makeOwner(1_000), await makeOwner(1_000)]
    const { id } = await makeTestBudget(mine, { externalId: 'team-a' })
    expect(await findBudgetByExternalId(mine.id, 'team-a')).toMatchObject({ id, externalId: 'team-a' })
    expect(await findBudgetByExternalId(other.id, 'team-a')).toBeNull()
    await hold(other, 500)
    await expect(getBudget(other.id, id)).rejects.toMatchObject({ code: 'not_found' })
    await expect(change(other, id, { credits: 1 })).rejects.toMatchObject({ code: 'not_found' })
    await expect(inTransaction((tx) => deleteBudget(tx, other.id, id))).rejects.toMatchObject({ code: 'not_found' })
  })

  test('whose numbers were changed is found and repaired', async () => {
    const owner = await makeOwner(1_000)
    const lifetime = await makeTestBudget(owner, {})
    const monthly = await makeTestBudget(owner, { window: 'month' })
    await settleById({ id: await hold(owner, 20), actual: 15n, ...ok })
    await hold(owner, 10)
    await mainPool().query('UPDATE spend_limit SET spent = spent + 3, held = held + 4 WHERE owner_id = $1', [owner.id])
    const { repaired, left } = await repairLedger()
    expect(repaired.map(({ what, id }) => [what, id]).sort()).toEqual(
      [
        ['budget window', monthly.id],
        ['spend limit held', lifetime.id],
        ['spend limit held', monthly.id],
        ['spend limit spent', lifetime.id],
      ].sort(),
    )
    expect(left).toEqual([])
  })
})

test('a name fits itself and a beginning', () => {
  const fits = nameFits(['web_*', 'image_create'])
  expect(['web_search', 'image_create', 'image_edit', 'we'].map(fits)).toEqual([true, true, false, false])
})
