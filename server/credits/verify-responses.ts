import { statement } from '../kit/statement'
import { readPaced } from './paced-read'
import type { LedgerDifference } from './verify-checks'

/** Stored responses that one statement looks at: each may have some MiB. */
const ROWS = 200

const RESPONSES = statement({
  name: 'verify_stored_responses',
  sql: `SELECT key_id, token, hold_id::text AS id, seal::text AS stored,
      response_seal(hold_id, body_hash, status, answer, charged)::text AS computed,
      (seal IS NULL AND status IS NOT NULL AND created_at > (SELECT min(y.created_at) FROM idempotency y
        WHERE y.key_id = i.key_id AND y.seal IS NOT NULL)) IS TRUE AS "isUnsealed"
    FROM idempotency i WHERE (key_id, token) > ($1, $2) ORDER BY key_id, token LIMIT ${ROWS}`,
  params: ['int', 'text'],
  columns: { key_id: 'int', token: 'text', id: 'text', stored: 'text?', computed: 'text', isUnsealed: 'boolean' },
})

/**
 * The responses stored for Idempotency-Keys that are not what was stored, of all owners. Only an
 * older release stored some without a seal: before the first one of their key that has one.
 */
export async function findChangedResponses(): Promise<LedgerDifference[]> {
  const found: LedgerDifference[] = []
  for (let last = { key_id: 0, token: '' }; ; ) {
    const rows = await readPaced(RESPONSES, [last.key_id, last.token])
    for (const { id, stored, computed, isUnsealed } of rows) {
      if (isUnsealed) found.push({ what: 'stored response', id, stored: 'no seal', computed })
      if (stored !== null && stored !== computed) found.push({ what: 'stored response', id, stored, computed })
    }
    if (rows.length < ROWS) return found
    last = rows.at(-1) ?? last
  }
}
