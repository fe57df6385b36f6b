import { runRead } from '../db'
import { env } from '../env'
import { AppError } from '../errors'
import { isUuid } from '../kit/id'
import type { ReadOptions } from '../kit/pg-read'
import { statement } from '../kit/statement'
import type { RequestLog } from './shape'

const FIND = statement({
  name: 'request_log_find',
  sql: `SELECT l.id, l.at, l.request, l.response, l.request_truncated, l.response_truncated
    FROM request_log l JOIN owner o ON o.id = l.owner_id JOIN receipt r ON r.id = l.id AND r.owner_id = l.owner_id
    WHERE l.id = $1 AND l.owner_id = $2 AND o.keeps_request_log AND ($3::int IS NULL OR r.key_id = $3)`,
  params: ['uuid', 'int', 'int'],
  columns: {
    id: 'uuid',
    at: 'timestamptz',
    request: 'text',
    response: 'text',
    request_truncated: 'boolean',
    response_truncated: 'boolean',
  },
})

/** Who reads: the owner, or one key, which sees its own calls only. */
export type LogReader = { ownerId: number; keyId: number | null }

/** What was kept of one call; null: nothing, or not for this reader. */
export async function findRequestLog(
  { ownerId, keyId }: LogReader,
  requestId: string,
  options?: ReadOptions,
): Promise<RequestLog | null> {
  const [row] = isUuid(requestId) ? await runRead(FIND, [requestId, ownerId, keyId], options) : []
  return row
    ? {
        requestId: row.id,
        at: row.at.toISOString(),
        request: JSON.parse(row.request),
        response: JSON.parse(row.response),
        requestTruncated: row.request_truncated,
        responseTruncated: row.response_truncated,
      }
    : null
}

/** The same for a program. Throws `not_found`, with what has to be true for a log to be there. */
export async function getRequestLog(reader: LogReader, requestId: string, options?: ReadOptions): Promise<RequestLog> {
  const found = await findRequestLog(reader, requestId, options)
  if (found) return found
  const { REQUEST_LOG, RETAIN_REQUEST_LOG_DAYS: days } = env()
  throw new AppError(
    'not_found',
    REQUEST_LOG === 'off'
      ? 'This service keeps no request log.'
      : `There is no log of such a request of this key. Calls are kept for ${days} days from when the request log is turned on in Settings.`,
  )
}
