import { expect, test } from 'vitest'
import { fillHistory } from '../../tests/support/history'
import { takeHold } from '../../tests/support/hold'
import { makeCaller } from '../../tests/support/owners'
import { settleById } from '../../tests/support/settle'
import { mainPool } from '../db'
import { env } from '../env'
import { findChangedPast, makeCheckpoint, whatIsWrongWith } from './checkpoint'
import { findLedgerDifferences } from './verify'

async function makeHistory(calls: number) {
  const { owner, key } = await makeCaller(1_000)
  if (calls > 0) await fillHistory({ ownerId: owner.id, keyIds: [key.id], count: calls })
  const call = async () => {
    const id = await takeHold(owner, 5, { keyId: key.id })
    await settleById({ id, actual: 3n, status: 'ok' })
    return id
  }
  return { owner: owner.id, first: await call(), call }
}

/** What somebody does who changes the past and hides it: the hash over all rows is made again. */
async function giveAway(owner: number): Promise<void> {
  await mainPool().query('UPDATE ledger SET amount = amount + 50 WHERE owner_id = $1 AND hold_id IS NULL', [owner])
  await mainPool().query(
    `UPDATE account SET available = available + 50 * (SELECT count(*) FROM ledger WHERE owner_id = $1 AND hold_id IS NULL),
       chain = ledger_chain(owner_id, NULL, '-infinity', 'infinity', 9223372036854775807) WHERE owner_id = $1`,
    [owner],
  )
}

test.each([0, 3_000])(
  'a past of %i calls that was changed and chained again is found by a checkpoint',
  async (calls) => {
    const { owner, first, call } = await makeHistory(calls)
    const other = await makeHistory(0)
    const checkpoint = await makeCheckpoint()
    expect(whatIsWrongWith(checkpoint)).toBeNull()
    await call()
    await mainPool().query(`SELECT credits_refund($1, 'void', 'test')`, [first])
    expect(await findChangedPast(checkpoint)).toEqual([])
    await giveAway(owner)
    expect(await findLedgerDifferences()).toEqual([])
    expect(await findChangedPast(checkpoint)).toMatchObject([
      { what: 'ledger before the checkpoint', id: String(owner) },
    ])
    expect(checkpoint.accounts.map((account) => account.owner)).toContain(other.owner)
  },
)

test('a checkpoint that was changed, or signed by somebody else, is not relied on', async () => {
  await makeHistory(0)
  const checkpoint = await makeCheckpoint()
  const [head, ...rest] = checkpoint.accounts
  if (!head) throw new Error('no account')
  const changed = { ...checkpoint, accounts: [{ ...head, credits: head.credits + 1 }, ...rest] }
  expect(whatIsWrongWith(changed)).toMatch(/signature does not fit/)
  expect(whatIsWrongWith({ ...checkpoint, signature: 'none' })).toMatch(/signature does not fit/)
  const secret = env().AUTH_SECRET
  Object.assign(env(), { AUTH_SECRET: 'another secret of at least 32 characters' })
  try {
    expect(whatIsWrongWith(checkpoint)).toMatch(/another key .* --public-key/)
    expect(whatIsWrongWith(checkpoint, checkpoint.publicKey)).toBeNull()
  } finally {
    Object.assign(env(), { AUTH_SECRET: secret })
  }
})
