import { runStatement } from '../db'
import { statement } from '../kit/statement'

/** Time that one step sums: an outage is caught up in some steps, each a short transaction. */
const SLICE_H = 6

const SUM_UP = statement({
  name: 'usage_sum_up',
  sql: 'SELECT summed, more FROM usage_sum_up(make_interval(hours => $1))',
  params: ['int'],
  columns: { summed: 'timestamptz', more: 'boolean' },
})
const SUMMED = statement({
  name: 'usage_summed_up_to',
  sql: 'SELECT until >= $1 AS summed FROM usage_summed',
  params: ['timestamptz'],
  columns: { summed: 'boolean' },
})

/**
 * Sums receipts by hour, up to a minute ago. Calls pay nothing for it, and what is not summed yet
 * is read from receipts, so nothing depends on when it runs. Processes take turns.
 */
export async function sumUpUsage(): Promise<void> {
  for (let more = true; more; ) more = (await runStatement(SUM_UP, [SLICE_H]))[0]?.more ?? false
}

/** Whether every receipt from before a moment is summed, after summing what is left. */
export async function isSummedUpTo(moment: Date): Promise<boolean> {
  await sumUpUsage()
  return (await runStatement(SUMMED, [moment]))[0]?.summed ?? false
}
