import pg from 'pg'
import { expect } from 'vitest'
import { waitForWriters } from '../../server/credits/wait-for-writers'
import { mainPool } from '../../server/db'
import { env } from '../../server/env'
import type { TestOwner } from './owners'

/** What a call can change of an owner, in credits and rows. */
export type OwnerMoney = { available: number; held: number; charged: number; receipts: number; holds: number }

/** An owner's credits, read from the tables. */
export async function readOwnerMoney({ id }: TestOwner): Promise<OwnerMoney> {
  await waitForWriters(id)
  const { rows } = await mainPool().query<OwnerMoney>(
    `SELECT available::int, held::int,
       (SELECT coalesce(-sum(amount), 0)::int FROM ledger WHERE owner_id = $1 AND hold_id IS NOT NULL) AS charged,
       (SELECT count(*)::int FROM receipt WHERE owner_id = $1) AS receipts,
       (SELECT count(*)::int FROM hold WHERE owner_id = $1) AS holds
     FROM account WHERE owner_id = $1`,
    [id],
  )
  if (!rows[0]) throw new Error(`owner ${id} has no account`)
  return rows[0]
}

/** Fails unless an owner who got `credits` has them all, with no receipt and no hold. */
export async function expectUntouched(owner: TestOwner, credits = 1_000): Promise<void> {
  expect(await readOwnerMoney(owner)).toEqual({ available: credits, held: 0, charged: 0, receipts: 0, holds: 0 })
}

/**
 * Makes the database appear to have been reachable for long, so that a sweep can decide which
 * processes are dead.
 */
async function wasNeverAway(): Promise<void> {
  await mainPool().query('SELECT credits_tick()')
  await mainPool().query(`UPDATE credits_clock SET up_since = now() - interval '1 minute'`)
}

/** Expires the leases of every process, as 45 s without a renewal would. */
export async function expireLeases(): Promise<void> {
  await wasNeverAway()
  await mainPool().query(`UPDATE holder SET lease_until = now() - interval '1 second'`)
}

/** Expires the lease of the process that made a hold. */
export async function expireHolder(holdId: string): Promise<void> {
  await wasNeverAway()
  await mainPool().query(
    `UPDATE holder SET lease_until = now() - interval '1 second' WHERE id = (SELECT holder_id FROM hold WHERE id = $1)`,
    [holdId],
  )
}

/** Locks an owner's account over a connection of its own. Returns what unlocks it. */
export async function lockAccount({ id }: TestOwner): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: env().DATABASE_URL })
  await client.connect()
  await client.query('BEGIN')
  await client.query('SELECT 1 FROM account WHERE owner_id = $1 FOR UPDATE', [id])
  return () => client.end()
}
