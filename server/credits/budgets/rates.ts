import { executeStatement, sharedBatch } from '../../db'
import { log } from '../../kit/log'
import { statement } from '../../kit/statement'
import type { ReceiptDetail } from '../shape'
import type { BudgetRate } from './named-limits'

/** Holds of calls whose tokens count a minute: the windows that they count in, by the hold's id. */
const counting = new Map<string, readonly string[]>()
const MAX_COUNTING = 100_000

// Whole minutes that are over are begun anew.
const ADD = statement({
  name: 'rates_add',
  sql: `INSERT INTO rate_window AS r (id, started_at, count)
    SELECT u.id, clock_timestamp(), sum(u.n)::int FROM unnest($1::text[], $2::int[]) u (id, n) GROUP BY u.id ORDER BY u.id
    ON CONFLICT (id) DO UPDATE SET
      count = CASE WHEN r.started_at > clock_timestamp() - interval '60 seconds' THEN r.count ELSE 0 END + excluded.count,
      started_at = CASE WHEN r.started_at > clock_timestamp() - interval '60 seconds' THEN r.started_at ELSE excluded.started_at END`,
  params: ['text[]', 'int[]'],
})

const add = sharedBatch(
  async (asked: { id: string; tokens: number }[]): Promise<null[]> => {
    await executeStatement(ADD, [asked.map(({ id }) => id), asked.map(({ tokens }) => tokens)])
    return asked.map(() => null)
  },
  ({ id }) => id,
)

/** Notes that the tokens of a hold's call count under these rates. */
export function noteTokenRates(holdId: string, rates: readonly BudgetRate[]): void {
  const ids = rates.filter(({ unit }) => unit === 'tokens').map(({ id }) => id)
  if (ids.length > 0 && counting.size < MAX_COUNTING) counting.set(holdId, ids)
}

/** Counts the tokens of a call that has ended, behind its answer. */
export function countRateTokens(holdId: string, { inputTokens = 0, outputTokens = 0 }: ReceiptDetail = {}): void {
  const ids = counting.get(holdId)
  if (!ids) return
  counting.delete(holdId)
  const tokens = inputTokens + outputTokens
  if (tokens === 0) return
  for (const id of ids)
    add({ id, tokens }).catch((error: Error) => log.warn({ err: error.message }, 'tokens of a rate were not counted'))
}
