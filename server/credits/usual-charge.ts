import { runRead } from '../db'
import type { ReadOptions } from '../kit/pg-read'
import { statement } from '../kit/statement'

/** Only an owner's latest calls say what a call usually costs. */
const RECENT = 40

const USUAL = statement({
  name: 'usual_charge',
  sql: `SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY charged) AS charged,
      percentile_cont(0.5) WITHIN GROUP (ORDER BY charged::float8 / held)::numeric AS share,
      percentile_disc(0.5) WITHIN GROUP (ORDER BY output_tokens) AS output_tokens
    FROM (SELECT r.status, r.held, r.charged, (r.detail ->> 'outputTokens')::numeric AS output_tokens
      FROM receipt r WHERE r.owner_id = $1 AND r.what = $2 ORDER BY r.at DESC LIMIT ${RECENT}) recent
    WHERE status = 'ok' AND held > 0`,
  params: ['int', 'text'],
  columns: { charged: 'bigint?', share: 'numeric?', output_tokens: 'numeric?' },
})

/** What the middle one of an owner's latest calls cost. `share`: of what was held for it. */
export type UsualCharge = { charged: number; share: number; outputTokens: number | null }

/** What calls of a tool or model usually cost an owner; null: none of the latest ended well. */
export async function usualCharge(ownerId: number, what: string, options?: ReadOptions): Promise<UsualCharge | null> {
  const [row] = await runRead(USUAL, [ownerId, what], options)
  if (!row || row.charged === null || row.share === null) return null
  return {
    charged: Number(row.charged),
    share: Number(row.share),
    outputTokens: row.output_tokens === null ? null : Number(row.output_tokens),
  }
}
