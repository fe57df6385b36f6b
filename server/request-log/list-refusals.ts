import { runRead } from '../db'
import { readCursor } from '../errors'
import { paginate } from '../kit/cursor'
import { isUuid } from '../kit/id'
import type { ReadOptions } from '../kit/pg-read'
import { type RowOf, statement } from '../kit/statement'
import type { RefusalList, RefusalPage, RefusedCall } from './shape'

const COLUMNS = {
  id: 'uuid',
  at: 'timestamptz',
  key_id: 'int',
  key_name: 'text',
  status: 'int',
  code: 'text',
  reason: 'text',
  message: 'text',
  limit_source: 'text?',
  limit_name: 'text?',
  operation: 'text',
  called: 'text?',
} as const

const list = (of: 'key' | 'owner') =>
  statement({
    name: `refusal_list_of_${of}`,
    sql: `SELECT r.id, r.at, r.key_id, k.name AS key_name, r.status, r.code, r.reason, r.message, r.limit_source, r.limit_name,
        r.operation, r.called
      FROM refusal r JOIN "key" k ON k.id = r.key_id AND k.owner_id = r.owner_id
      WHERE r.owner_id = $1 AND ($2::int IS NULL OR r.status = $2) AND ($3::timestamptz IS NULL OR (r.at, r.id) < ($3, $4::uuid))
        AND ${of === 'key' ? 'r.key_id = $6' : '$6::int IS NULL'}
      ORDER BY r.at DESC, r.id DESC LIMIT $5`,
    params: ['int', 'int', 'timestamptz', 'uuid', 'bigint', 'int'],
    columns: COLUMNS,
  })
const LIST = { key: list('key'), owner: list('owner') }

const viewRefusal = ({ id, at, limit_source, limit_name, ...row }: RowOf<(typeof LIST)['key']>): RefusedCall => ({
  requestId: id,
  at: at.toISOString(),
  keyId: row.key_id,
  keyName: row.key_name,
  status: row.status,
  code: row.code,
  reason: row.reason,
  message: row.message,
  limit: limit_source === null ? null : { source: limit_source, name: limit_name ?? limit_source },
  operation: row.operation,
  called: row.called,
})

/**
 * What was refused to an owner's keys, newest first: the last 100 of each key. Throws
 * `invalid_request` for an invalid cursor.
 */
export async function listRefusals(
  ownerId: number,
  { keyId, status, limit, cursor }: RefusalPage,
  options?: ReadOptions,
): Promise<RefusalList> {
  const after = readCursor(cursor, isUuid)
  const asked = [
    ownerId,
    status ?? null,
    after?.at ?? null,
    after?.id ?? null,
    BigInt(limit + 1),
    keyId ?? null,
  ] as const
  const rows = await runRead(LIST[keyId === undefined ? 'owner' : 'key'], asked, options)
  const page = paginate(rows, limit, ({ at, id }) => ({ at, id }))
  return { rows: page.rows.map(viewRefusal), nextCursor: page.nextCursor }
}
