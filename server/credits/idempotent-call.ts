import { runStatement } from '../db'
import { statement } from '../kit/statement'
import type { Idempotency } from './hold-request'

const FIND = statement({
  name: 'idempotent_call',
  sql: `SELECT i.hold_id FROM idempotency i WHERE i.key_id = $1 AND i.token = $2 AND i.body_hash = $3
    AND (i.status IS NULL OR i.created_at > now() - interval '24 hours')`,
  params: ['int', 'text', 'bytea'],
  columns: { hold_id: 'uuid' },
})

/** The id of the call that a key made with the same Idempotency-Key and body, or null. */
export async function findIdempotentCall(keyId: number, { token, bodyHash }: Idempotency): Promise<string | null> {
  const [row] = await runStatement(FIND, [keyId, token, bodyHash])
  return row?.hold_id ?? null
}
