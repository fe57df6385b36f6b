import { expect, test } from 'vitest'
import { randomOf } from '../../tests/support/random'
import { mainPool } from '../db'
import { uuidv7 } from '../kit/id'
import { findLedgerDifferences } from './verify'

// The ledger statement against a model of plain arithmetic: random histories of accounts whose
// calls meet up to nine limits, several of an account in each batch, so that items of one batch
// share what is left. Some holds are slices, whose calls have no hold until they end, or go on
// after their slice, or are split again. Every answer and, at the end, every number must be the
// model's.

const GROUPS = 100
/** Of one batch, which finds each limit among all of them: of 500 it takes half as long again. */
const ACCOUNTS = 100
const STEPS = 8
const SEED = Number(process.env.HISTORIES_SEED ?? 34)

type Limit = { cap: number; spent: number; held: number }
/** `calls`: a slice, for so many more. `of`: a call of that slice that has no hold of its own. */
type Open = { id: string; amount: number; limits: Limit[]; calls?: number; of?: string }
type Split = { id: string; of: string; by: Account; amount: number }
type Account = {
  ownerId: number
  keyId: number
  balance: Limit
  key: Limit
  conversation: Limit & { id: string }
  budgets: (Limit & { id: string })[]
  open: Open[]
  /** What was split, which is asked again now and then. */
  splits: Split[]
  charged: number
}

const left = ({ cap, spent, held }: Limit) => cap - spent - held
const free = (limits: Limit[]) => Math.min(...limits.map(left))

async function makeAccounts(random: (n: number) => number): Promise<Account[]> {
  const pool = mainPool()
  const { rows: owners } = await pool.query<{ id: number }>(
    `INSERT INTO owner (email) SELECT gen_random_uuid() || '@example.com' FROM generate_series(1, ${ACCOUNTS}) RETURNING id`,
  )
  const accounts = owners.map(
    ({ id }): Account => ({
      ownerId: id,
      keyId: 0,
      balance: { cap: random(120), spent: 0, held: 0 },
      key: { cap: random(3) === 0 ? Number.POSITIVE_INFINITY : random(100), spent: 0, held: 0 },
      conversation: { id: uuidv7(), cap: random(100), spent: 0, held: 0 },
      budgets: Array.from({ length: random(7) }, () => ({ id: uuidv7(), cap: random(90), spent: 0, held: 0 })),
      open: [],
      splits: [],
      charged: 0,
    }),
  )
  const ids = accounts.map(({ ownerId }) => ownerId)
  await pool.query('INSERT INTO account (owner_id) SELECT unnest($1::int[])', [ids])
  await pool.query('SELECT credits_grant(u.o, u.n, NULL) FROM unnest($1::int[], $2::bigint[]) u (o, n) WHERE u.n > 0', [
    ids,
    accounts.map(({ balance }) => balance.cap),
  ])
  const caps = accounts.map(({ key }) => (Number.isFinite(key.cap) ? key.cap : null))
  const { rows: keys } = await pool.query<{ id: number; owner_id: number }>(
    `INSERT INTO "key" (owner_id, name, budget) SELECT u.o, 'k', u.b FROM unnest($1::int[], $2::bigint[]) u (o, b) RETURNING id, owner_id`,
    [ids, caps],
  )
  const keyOf = new Map(keys.map((row) => [row.owner_id, row.id]))
  for (const account of accounts) account.keyId = keyOf.get(account.ownerId) ?? 0
  await pool.query(
    'INSERT INTO spend_limit (id, owner_id, cap) SELECT * FROM unnest($1::uuid[], $2::int[], $3::bigint[])',
    [accounts.map(({ conversation }) => conversation.id), ids, accounts.map(({ conversation }) => conversation.cap)],
  )
  const budgets = accounts.flatMap(({ ownerId, budgets }) => budgets.map((budget) => ({ ...budget, ownerId })))
  const columns = [budgets.map(({ id }) => id), budgets.map(({ ownerId }) => ownerId), budgets.map(({ cap }) => cap)]
  await pool.query(
    `INSERT INTO budget (id, owner_id, name, credits, scope) SELECT u.id, u.o, 'b', u.c, '{}' FROM unnest($1::uuid[], $2::int[], $3::bigint[]) u (id, o, c)`,
    columns,
  )
  await pool.query(
    `INSERT INTO spend_limit (id, owner_id, cap, name, budget_id) SELECT u.id, u.o, u.c, 'b', u.id FROM unnest($1::uuid[], $2::int[], $3::bigint[]) u (id, o, c)`,
    columns,
  )
  return accounts
}

type End = { id: string; actual: number; extend: boolean; charged: number }
type Hold = {
  id: string
  by: Account
  conversation: string | null
  budgets: string[]
  minCredits: number
  maxCredits: number
  amount: number
  calls: number | null
}

/** Admits calls from the slices of an account, in the model: the database is not asked. */
function admitSome(account: Account, random: (n: number) => number): void {
  for (const slice of account.open.filter(({ calls }) => calls !== undefined)) {
    for (let n = random(3); n > 0 && slice.calls; n--) {
      const amount = random(slice.amount + 1)
      slice.calls--
      slice.amount -= amount
      account.open.push({ id: uuidv7(), amount, limits: slice.limits, of: slice.id })
    }
  }
}

/** Ends some open holds of an account, in the model, and gives calls of ended slices their own. */
function endSome(account: Account, random: (n: number) => number): { ends: End[]; splits: Split[] } {
  const ended = account.open.splice(random(2) === 0 ? 0 : Math.floor(account.open.length / 2), random(3))
  const splits = account.splits.filter(() => random(8) === 0)
  for (const one of [...ended, ...account.open]) {
    const { id, of, amount } = one
    const isSplit = ended.includes(one) || ended.some((slice) => slice.id === of)
    if (!of || !isSplit) continue
    splits.push({ id, of, by: account, amount })
    account.splits.push({ id, of, by: account, amount })
    one.of = undefined
  }
  const ends = ended.map(({ id, amount, limits, calls }) => {
    const actual = calls === undefined ? random(amount * 2 + 2) : 0
    const extend = calls === undefined && random(2) === 0
    const charged =
      extend && actual > amount ? Math.min(actual, amount + Math.max(0, free(limits))) : Math.min(actual, amount)
    for (const limit of limits) {
      limit.held -= amount
      limit.spent += charged
    }
    account.charged += charged
    return { id, actual, extend, charged }
  })
  return { ends, splits }
}

/** Takes some holds of an account, in the model; `amount` is -1 where one is refused. */
function holdSome(account: Account, random: (n: number) => number): Hold[] {
  return Array.from({ length: random(3) }, () => {
    const id = uuidv7()
    const calls = random(4) === 0 ? 1 + random(4) : null
    const conversation = calls === null && random(2) === 0 ? account.conversation : null
    // Often the same as the hold before, as calls with one key have.
    const isAll = random(2) === 0
    const budgets = account.budgets.filter(() => isAll || random(3) > 0)
    const limits: Limit[] = [account.balance, account.key, ...(conversation ? [conversation] : []), ...budgets]
    const minCredits = 1 + random(30)
    const maxCredits = minCredits + random(20)
    const amount = free(limits) >= minCredits ? Math.min(maxCredits, free(limits)) : -1
    if (amount >= 0) {
      for (const limit of limits) limit.held += amount
      account.open.push({ id, amount, limits, ...(calls !== null && { calls }) })
    }
    return {
      id,
      by: account,
      conversation: conversation?.id ?? null,
      budgets: budgets.map((b) => b.id),
      minCredits,
      maxCredits,
      amount,
      calls,
    }
  })
}

async function step(accounts: Account[], random: (n: number) => number, holder: string): Promise<void> {
  for (const account of accounts) admitSome(account, random)
  const ended = accounts.map((account) => endSome(account, random))
  const ends = ended.flatMap((one) => one.ends)
  const splits = ended.flatMap((one) => one.splits)
  const holds = accounts.flatMap((account) => holdSome(account, random))
  // Holds that meet the same budgets share them, as a process sends them.
  const named: string[] = []
  const places = new Map<string, number[]>()
  const bounds = holds.map(({ budgets }) => {
    if (budgets.length === 0) return [null, null]
    const place = places.get(budgets.join()) ?? [named.length + 1, named.push(...budgets)]
    places.set(budgets.join(), place)
    return place
  })
  const { rows } = await mainPool().query<{ settled: string | null; outcome: string | null; amount: string }>(
    `SELECT * FROM credits_batch('{}', NULL, $1::uuid[], $2::bigint[], $3::boolean[], $4::text[], '{}', '{}', '{}',
      $5, $6::uuid[], $7::int[], $8::int[], $9::uuid[], $10::bigint[], $11::bigint[], $12::bigint[], $13::text[], $14::text[], $14::text[],
      '{}', '{}', 1000, '{}', '{}', '{}', '{}', $15::int[], $16::int[], $17::uuid[], $17::uuid[], '{}',
      '{}', $18::int[], $19::uuid[], $20::uuid[], $21::int[], $22::int[], $23::bigint[], $24::text[], $25::text[], $25::text[], $26::int[])`,
    [
      ...[ends.map((e) => e.id), ends.map((e) => e.actual), ends.map((e) => e.extend), ends.map(() => 'ok')],
      ...[holder, holds.map((h) => h.id), holds.map((h) => h.by.ownerId), holds.map((h) => h.by.keyId)],
      ...[
        holds.map((h) => h.conversation),
        holds.map((h) => h.minCredits),
        holds.map((h) => h.maxCredits),
        holds.map(() => 0),
      ],
      ...[
        holds.map(() => 'rest'),
        holds.map(() => 'tool'),
        bounds.map(([from]) => from),
        bounds.map(([, end]) => end),
        named,
        holds.map(({ calls }) => calls),
      ],
      ...[splits.map(({ id }) => id), splits.map(({ of }) => of), splits.map(({ by }) => by.ownerId)],
      ...[splits.map(({ by }) => by.keyId), splits.map(({ amount }) => amount), splits.map(() => 'rest')],
      ...[splits.map(() => 'tool'), splits.map(() => 7)],
    ],
  )
  expect(rows.filter(({ settled }) => settled).map((row) => [row.settled, Number(row.amount)])).toEqual(
    ends.map(({ charged }) => ['done', charged]),
  )
  const SOURCES = ['balance', 'key_budget', 'conversation', 'budget']
  const answers = rows.filter(({ outcome }) => outcome)
  expect(
    answers.map(({ outcome, amount }) =>
      outcome === 'held' ? Number(amount) : SOURCES.includes(outcome ?? '') ? -1 : outcome,
    ),
  ).toEqual(holds.map(({ amount }) => amount))
}

const callsOf = (open: readonly Open[]): number => open.reduce((sum, { calls = 1 }) => sum + calls, 0)

/** Every number of the database, as the model has it. */
async function expectModel(accounts: Account[]): Promise<void> {
  const ids = accounts.map(({ ownerId }) => ownerId)
  const { rows } = await mainPool().query(
    `SELECT a.owner_id AS id, a.available::int AS available, a.held::int AS held, a.calls, k.spent::int AS spent, k.held::int AS key_held,
      (SELECT -coalesce(sum(l.amount) FILTER (WHERE l.hold_id IS NOT NULL), 0)::int FROM ledger l WHERE l.owner_id = a.owner_id) AS charged
     FROM account a JOIN "key" k ON k.owner_id = a.owner_id WHERE a.owner_id = ANY ($1) ORDER BY 1`,
    [ids],
  )
  const expected = accounts.map(({ ownerId, balance, key, charged, open }) => ({
    ...{
      id: ownerId,
      available: left(balance),
      held: balance.held,
      calls: callsOf(open),
      spent: key.spent,
      key_held: key.held,
      charged,
    },
  }))
  expect(rows).toEqual(expected.sort((a, b) => a.id - b.id))
  const limits = await mainPool().query<{ id: string }>(
    'SELECT id, spent::int, held::int FROM spend_limit WHERE owner_id = ANY ($1) ORDER BY id',
    [ids],
  )
  const rowsOf = accounts.flatMap(({ conversation, budgets }) => [conversation, ...budgets])
  expect(limits.rows).toEqual(
    rowsOf.map(({ id, spent, held }) => ({ id, spent, held })).sort((a, b) => (a.id < b.id ? -1 : 1)),
  )
}

test(`${GROUPS * ACCOUNTS} random histories under up to nine limits come out as plain arithmetic does`, async () => {
  const random = randomOf(SEED)
  const holder = uuidv7()
  for (let group = 0; group < GROUPS; group++) {
    const accounts = await makeAccounts(random)
    for (let n = 0; n < STEPS; n++) await step(accounts, random, holder)
    await expectModel(accounts)
    if (group === 0) expect(await findLedgerDifferences()).toEqual([])
    await mainPool().query('SELECT credits_renew($1)', [holder])
  }
})
