import { beforeAll, describe, expect, test } from 'vitest'
import { takeHold } from '../../tests/support/hold'
import { makeKey, makeOwner, type TestOwner } from '../../tests/support/owners'
import { settleById } from '../../tests/support/settle'
import { mainPool, prisma } from '../db'
import { changeKey } from './change'
import { keysNearlyUsedUp } from './nearly-used-up'
import { revokeKey } from './revoke'
import { listKeyTags, readKeyNames, searchKeys } from './search'
import { KEY_SORTS, KeySearch, type KeyView } from './shape'

const search = (owner: TestOwner, given: Partial<KeySearch> = {}) => searchKeys(owner.id, KeySearch.parse(given))
const namesOf = (rows: readonly KeyView[]) => rows.map(({ name }) => name)
const found = async (owner: TestOwner, given: Partial<KeySearch>) => namesOf((await search(owner, given)).rows).sort()

async function spend(owner: TestOwner, keyId: number, credits: number) {
  await settleById({ id: await takeHold(owner, credits, { keyId }), actual: BigInt(credits), status: 'ok' })
}

describe('a search', () => {
  let owner: TestOwner
  let last4 = ''
  beforeAll(async () => {
    owner = await makeOwner()
    last4 = (await makeKey(owner, { name: 'Nightly report', tags: ['cron', 'Finance team'] })).last4
    await makeKey(owner, { name: 'nightly_build', tags: ['cron'], llm: true })
    const spent = await makeKey(owner, { name: '100% done', budget: 5, agent: true })
    await spend(owner, spent.id, 5)
    await takeHold(owner, 7, { keyId: (await makeKey(owner, { name: 'Ünïcode Ärger' })).id })
    await revokeKey(owner.id, (await makeKey(owner, { name: 'gone' })).id)
    const old = await makeKey(owner, { name: 'old' })
    await mainPool().query(`UPDATE "key" SET expires_at = now() - interval '1 day' WHERE id = $1`, [old.id])
  })

  test.each<[string, string[]]>([
    ['nightly', ['Nightly report', 'nightly_build']],
    ['REPORT night', ['Nightly report']],
    ['finance', ['Nightly report']],
    ['cron build', ['nightly_build']],
    ['y_b', ['nightly_build']],
    ['%', ['100% done']],
    ['Ünïc', ['Ünïcode Ärger']],
    ['nothing has this', []],
    ['\0', ['100% done', 'Nightly report', 'gone', 'nightly_build', 'old', 'Ünïcode Ärger']],
  ])('for %j finds each key that has all words in name or tags', async (q, names) => {
    expect(await found(owner, { q })).toEqual(names)
  })

  test('finds a key by the last four characters of its secret', async () => {
    expect(await found(owner, { q: last4 })).toEqual(['Nightly report'])
    expect(await found(owner, { q: `tg_…${last4.toLowerCase()}` })).toEqual(['Nightly report'])
  })

  test('filters by state, tag and scope, and sums what matches', async () => {
    expect(await found(owner, { state: 'spent' })).toEqual(['100% done'])
    expect(await found(owner, { state: 'revoked' })).toEqual(['gone'])
    expect(await found(owner, { state: 'expired' })).toEqual(['old'])
    expect(await found(owner, { state: 'active', tag: 'cron' })).toEqual(['Nightly report', 'nightly_build'])
    expect(await found(owner, { may: 'llm' })).toEqual(['nightly_build'])
    expect(await found(owner, { may: 'agent' })).toEqual(['100% done'])
    expect((await search(owner, { limit: 1 })).totals).toEqual({ count: 6, spent: 5, held: 7 })
    expect((await search(owner, { state: 'spent' })).totals).toEqual({ count: 1, spent: 5, held: 0 })
  })

  test('counts the keys of each tag', async () => {
    expect(await listKeyTags(owner.id)).toEqual([
      { tag: 'cron', keys: 2 },
      { tag: 'Finance team', keys: 1 },
    ])
  })

  test('finds nothing of another owner', async () => {
    const other = await makeOwner()
    const mine = (await search(owner)).rows.map(({ id }) => id)
    expect(await search(other)).toEqual({ rows: [], nextCursor: null, totals: { count: 0, spent: 0, held: 0 } })
    expect(await readKeyNames(other.id, mine)).toEqual(new Map())
    expect((await readKeyNames(owner.id, mine)).size).toBe(6)
    expect(await listKeyTags(other.id)).toEqual([])
  })
})

describe('pages of a search', () => {
  const names = ['delta', 'Alpha', 'alpha', 'charlie', 'Bravo']
  const owners: TestOwner[] = []
  /** Keys with different and with equal values of everything that sorts. */
  beforeAll(async () => {
    const owner = await makeOwner(10_000)
    owners.push(owner)
    for (const [i, name] of names.entries()) {
      const { id } = await makeKey(owner, { name, budget: i === 0 ? null : 500 })
      if (i > 1) await spend(owner, id, i === 2 ? 20 : 10)
      if (i > 2) await prisma().keyUse.create({ data: { keyId: id, usedAt: new Date(1_800_000_000_000 - i) } })
    }
  })

  test.each(KEY_SORTS.flatMap((sort) => (['asc', 'desc'] as const).map((order) => ({ sort, order }))))(
    'by $sort, $order, join without a gap or a repeat',
    async ({ sort, order }) => {
      const owner = owners[0] as TestOwner
      const whole = namesOf((await search(owner, { sort, order })).rows)
      expect([...whole].sort()).toEqual([...names].sort())
      const joined: string[] = []
      for (let cursor: string | undefined; joined.length < 20; ) {
        const page = await search(owner, { sort, order, limit: 2, cursor })
        joined.push(...namesOf(page.rows))
        if (page.nextCursor === null) break
        cursor = page.nextCursor
      }
      expect(joined).toEqual(whole)
    },
  )

  test('are in the order asked for', async () => {
    const owner = owners[0] as TestOwner
    const by = async (given: Partial<KeySearch>) => namesOf((await search(owner, given)).rows)
    expect(await by({})).toEqual([...names].reverse())
    expect(await by({ sort: 'name', order: 'asc' })).toEqual(['Alpha', 'alpha', 'Bravo', 'charlie', 'delta'])
    expect((await by({ sort: 'spent' }))[0]).toBe('alpha')
    expect((await by({ sort: 'used' })).slice(0, 2)).toEqual(['charlie', 'Bravo'])
    expect((await by({ sort: 'remaining', order: 'asc' }))[0]).toBe('alpha')
    expect((await by({ sort: 'remaining', order: 'asc' })).at(-1)).toBe('delta')
  })

  test('go on where the last row was, also when that key has changed', async () => {
    const owner = await makeOwner()
    for (const name of ['a', 'b', 'c']) await makeKey(owner, { name })
    const page = await search(owner, { sort: 'name', order: 'asc', limit: 1 })
    await changeKey(owner.id, page.rows[0]?.id as number, { name: 'z' })
    await makeKey(owner, { name: 'A, and before' })
    const next = await search(owner, { sort: 'name', order: 'asc', cursor: page.nextCursor as string })
    expect(namesOf(next.rows)).toEqual(['A, and before', 'b', 'c', 'z'])
  })

  test.each(['', 'x', 'spent desc 1 x', 'spent desc 0 1', 'name asc 1 a', 'spent desc 1 99999999999999999999'])(
    'after a cursor that says %j are refused',
    async (text) => {
      const cursor = Buffer.from(text).toString('base64url')
      await expect(search(owners[0] as TestOwner, { sort: 'spent', cursor })).rejects.toMatchObject({
        code: 'invalid_request',
      })
    },
  )
})

describe('keys nearly used up', () => {
  test('are those that work and have less than a tenth of a budget left', async () => {
    const owner = await makeOwner(10_000)
    const make = async (name: string, settings: Parameters<typeof makeKey>[1], credits: number) => {
      const { id } = await makeKey(owner, { name, ...settings })
      await spend(owner, id, credits)
      return id
    }
    await make('half', { budget: 100 }, 50)
    await make('a tenth', { budget: 100 }, 90)
    await make('used up', { budget: 100 }, 100)
    const stillCalled = await make('used up and still called', { budget: 100 }, 100)
    await prisma().keyUse.upsert({
      where: { keyId: stillCalled },
      create: { keyId: stillCalled, usedAt: new Date() },
      update: { usedAt: new Date() },
    })
    await make('low', { budget: 100 }, 91)
    await make('lower', { budget: 100 }, 99)
    await make('today', { budget: 1000, recurringBudget: { credits: 50, every: 'day' } }, 50)
    const past = await make('yesterday', { recurringBudget: { credits: 50, every: 'day' } }, 50)
    await mainPool().query(
      `UPDATE "key" SET period_start = now() - interval '2 days', period_end = now() - interval '1 day' WHERE id = $1`,
      [past],
    )
    await revokeKey(owner.id, await make('revoked', { budget: 100 }, 95))
    const { rows, total } = await keysNearlyUsedUp(owner.id, 2)
    expect(total).toBe(4)
    expect(rows).toMatchObject([
      { name: 'used up and still called', budget: 100, remaining: 0, every: null },
      { name: 'lower', budget: 100, remaining: 1, every: null },
    ])
    expect((await keysNearlyUsedUp(owner.id, 9)).rows[3]).toMatchObject({ name: 'today', remaining: 0, every: 'day' })
    expect(await keysNearlyUsedUp((await makeOwner()).id, 9)).toEqual({ rows: [], total: 0 })
  })
})
