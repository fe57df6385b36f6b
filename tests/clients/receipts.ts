import { mainPool } from '../../server/db'
import type { TestOwner } from '../support/owners'

/** What the calls of an owner took and cost, all together. */
export async function sumOfReceipts({ id }: TestOwner) {
  const { rows } = await mainPool().query<{
    calls: number
    inputTokens: number
    outputTokens: number
    charged: number
  }>(
    `SELECT count(*)::int AS calls, coalesce(sum(charged), 0)::int AS charged,
       coalesce(sum((detail->>'inputTokens')::int), 0)::int AS "inputTokens",
       coalesce(sum((detail->>'outputTokens')::int), 0)::int AS "outputTokens"
     FROM receipt WHERE owner_id = $1`,
    [id],
  )
  if (!rows[0]) throw new Error('no sum')
  return rows[0]
}
