import { executeStatement } from '../db'
import { runInBackground } from '../kit/background'
import { log } from '../kit/log'
import { statement } from '../kit/statement'

/**
 * A request with a key, answered. `ms`: until its answer began. `limitName`: of the limit that
 * refused it, empty where none did.
 */
export type AnsweredRequest = { ownerId: number; keyId: number; status: number; limitName?: string; ms: number }

type Counted = AnsweredRequest & { hour: Date; limitName: string; requests: number; slowestMs: number }

const ADD = statement({
  name: 'request_hour_add',
  sql: `INSERT INTO request_hour AS h (hour, owner_id, key_id, status, limit_name, requests, ms, slowest_ms)
    SELECT * FROM unnest($1::timestamptz[], $2::int[], $3::int[], $4::int[], $5::text[], $6::bigint[], $7::bigint[],
        $8::int[]) AS n (hour, owner_id, key_id, status, limit_name, requests, ms, slowest_ms)
    ORDER BY n.hour, n.owner_id, n.key_id, n.status, n.limit_name
    ON CONFLICT ON CONSTRAINT request_hour_pkey DO UPDATE SET requests = h.requests + excluded.requests,
      ms = h.ms + excluded.ms, slowest_ms = greatest(h.slowest_ms, excluded.slowest_ms)`,
  params: ['timestamptz[]', 'int[]', 'int[]', 'int[]', 'text[]', 'bigint[]', 'bigint[]', 'int[]'],
})

const HOUR_MS = 3_600_000
const FLUSH_MS = 1_000
/** Keys, hours, statuses and limits that wait at most; what comes beyond that is not counted. */
const MAX_WAITING = 20_000

let waiting = new Map<string, Counted>()
let timer: NodeJS.Timeout | null = null

/**
 * Counts a request in this process: a refused one costs no statement. All of a second are written
 * in one.
 */
export function countRequest({ ownerId, keyId, status, limitName = '', ms }: AnsweredRequest): void {
  const hour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS
  const id = `${hour} ${keyId} ${status} ${limitName}`
  const counted = waiting.get(id)
  if (counted) {
    counted.requests++
    counted.ms += ms
    counted.slowestMs = Math.max(counted.slowestMs, ms)
  } else if (waiting.size < MAX_WAITING) {
    waiting.set(id, { hour: new Date(hour), ownerId, keyId, status, limitName, requests: 1, ms, slowestMs: ms })
  }
  timer ??= setTimeout(() => runInBackground(flushRequests()), FLUSH_MS).unref()
}

/** Writes what was counted so far. What the database does not take is logged and lost. */
export async function flushRequests(): Promise<void> {
  if (timer) clearTimeout(timer)
  timer = null
  const counted = [...waiting.values()]
  waiting = new Map()
  if (counted.length === 0) return
  const rounded = (ms: number) => Math.min(Math.round(ms), 2 ** 31 - 1)
  await executeStatement(
    ADD,
    [
      counted.map(({ hour }) => hour),
      counted.map(({ ownerId }) => ownerId),
      counted.map(({ keyId }) => keyId),
      counted.map(({ status }) => status),
      counted.map(({ limitName }) => limitName),
      counted.map(({ requests }) => BigInt(requests)),
      counted.map(({ ms }) => BigInt(Math.round(ms))),
      counted.map(({ slowestMs }) => rounded(slowestMs)),
    ],
    { repeatable: false },
  ).catch((error: Error) => log.warn({ requests: counted.length, err: error.message }, 'requests were not counted'))
}
