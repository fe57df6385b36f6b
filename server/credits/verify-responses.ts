import { statement } from '../kit/statement'
import { readPaced } from './paced-read'
import type { LedgerDifference } from './verify-checks'

/** Stored responses that one statement looks at: each may have some MiB. */
const ROWS = 200

const RESPONSES = statement({
  name: 'verify_stored_responses',
  sql: `SELECT key_id, token, hold_id::text AS id, seal::text AS stored,
      response_seal(hold_id, body_hash, status, answer, charged)::text AS computed
    FROM idempotency WHERE (key_id, token) > ($1, $2) ORDER BY key_id, token LIMIT ${ROWS}`,
  params: ['int', 'text'],
  columns: { key_id: 'int', token: 'text', id: 'text', stored: 'text?', computed: 'text' },
})

/**
 * The responses stored for Idempotency-Keys that are not what was stored, of all owners. A row
 * without a seal is of a call in progress.
 */
export async function findChangedResponses(): Promise<LedgerDifference[]> {
  const found: LedgerDifference[] = []
  for (let last = { key_id: 0, token: '' }; ; ) {
    const rows = await readPaced(RESPONSES, [last.key_id, last.token])
    for (const { id, stored, computed } of rows) {
      if (stored !== null && stored !== computed) found.push({ what: 'stored response', id, stored, computed })
    }
    if (rows.length < ROWS) return found
    last = rows.at(-1) ?? last
  }
}
