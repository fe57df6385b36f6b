import { runRead } from '../db'
import type { ReadOptions } from '../kit/pg-read'
import { statementFamily } from '../kit/statement'
import { type ReceiptFilter, receiptConditions, statementValues } from './receipt-filter'

const newerCount = statementFamily({
  name: 'receipt_newer_count',
  columns: { count: 'int' },
  samples: () =>
    [undefined, '00000000-0000-7000-8000-000000000000'].map((than) => countQuery(1, {}, { than, max: 1 }).text),
})

function countQuery(ownerId: number, filter: ReceiptFilter, { than, max }: { than?: string; max: number }) {
  const { values, given } = statementValues()
  const owner = given(ownerId)
  const conditions = [
    ...receiptConditions(filter, given, owner),
    than === undefined
      ? `r.at > now() - interval '1 minute'`
      : `(r.at, r.id) > (SELECT t.at, t.id FROM receipt t WHERE t.id = ${given(than)} AND t.owner_id = ${owner})`,
  ]
  const text = `SELECT count(*)::int AS count FROM (SELECT 1 FROM receipt r WHERE ${conditions.join(' AND ')} LIMIT ${given(max)}) n`
  return { text, values }
}

/**
 * How many of an owner's calls came after one of them, at most `max`; without one, in the last
 * minute.
 */
export async function countNewerReceipts(
  ownerId: number,
  { than, max, ...filter }: ReceiptFilter & { than?: string; max: number },
  options?: ReadOptions,
): Promise<number> {
  const { text, values } = countQuery(ownerId, filter, { than, max })
  return (await runRead(newerCount(text), values, options))[0]?.count ?? 0
}
