import { runStatement } from '../db'
import { statement } from '../kit/statement'

const LIMITS = statement({
  name: 'spend_limits',
  sql: 'SELECT id, spent FROM spend_limit WHERE id = ANY ($1::uuid[])',
  params: ['uuid[]'],
  columns: { id: 'uuid', spent: 'bigint' },
})

/** What was spent under spend limits, by id. Credits. */
export async function readSpendLimits(ids: readonly string[]): Promise<Map<string, number>> {
  const rows = await runStatement(LIMITS, [ids])
  return new Map(rows.map(({ id, spent }) => [id, Number(spent)]))
}
