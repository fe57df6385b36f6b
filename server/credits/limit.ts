import type pg from 'pg'
import { pool } from '../db'

/** A ceiling over several calls: its cap, and what was spent under it. Credits. */
export type Limit = { cap: number; spent: number }

/**
 * Makes a ceiling, or moves one, inside a transaction of the caller's. It never goes below what is spent or held
 * already. Answers what is spent.
 */
export async function setLimit(
  db: pg.PoolClient,
  id: string,
  owner: { ownerId: number; cap: bigint },
): Promise<bigint> {
  const { rows } = await db.query<{ spent: string }>(
    `INSERT INTO spend_limit (id, owner_id, cap) VALUES ($1, $2, $3)
     ON CONFLICT (id) DO UPDATE SET cap = greatest(excluded.cap, spend_limit.spent + spend_limit.held)
     RETURNING spent`,
    [id, owner.ownerId, owner.cap.toString()],
  )
  return BigInt(rows[0]?.spent ?? 0)
}

/** What was spent under ceilings, by id. Credits. */
export async function spentUnder(ids: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await pool().query<{ id: string; spent: string }>(
    'SELECT id, spent FROM spend_limit WHERE id = ANY ($1::uuid[])',
    [ids],
  )
  return new Map(rows.map(({ id, spent }) => [id, Number(spent)]))
}

/** What an owner may still spend through a key, under balance and key budget, inside a transaction. Credits. */
export async function freeThrough(db: pg.PoolClient, ownerId: number, keyId: number): Promise<FreeThrough> {
  const { rows } = await db.query<{ balance: string | null; budget: string | null }>(
    `SELECT (SELECT available FROM account WHERE owner_id = $1) AS balance,
       (SELECT budget - spent - held FROM "key" WHERE id = $2 AND owner_id = $1) AS budget`,
    [ownerId, keyId],
  )
  const balance = BigInt(rows[0]?.balance ?? 0)
  const budget = rows[0]?.budget == null ? null : BigInt(rows[0].budget)
  return budget !== null && budget < balance
    ? { credits: budget, limitSource: 'key_budget' }
    : { credits: balance, limitSource: 'balance' }
}

export type FreeThrough = { credits: bigint; limitSource: 'balance' | 'key_budget' }
