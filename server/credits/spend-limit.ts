import { mainPool } from '../db'

/** A ceiling over several calls: its cap, and what was spent under it. Credits. */
export type SpendLimit = { cap: number; spent: number }

/** What was spent under ceilings, by id. Credits. */
export async function readSpendLimits(ids: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await mainPool().query<{ id: string; spent: string }>(
    'SELECT id, spent FROM spend_limit WHERE id = ANY ($1::uuid[])',
    [ids],
  )
  return new Map(rows.map(({ id, spent }) => [id, Number(spent)]))
}
