import { executeStatement } from '../db'
import { runInBackground } from '../kit/background'
import { log } from '../kit/log'
import { sanitizeTextForPostgres } from '../kit/sanitize-for-postgres'
import { statement } from '../kit/statement'

/** A refused request of a key. `called`: the tool or model that it names. */
export type NotedRefusal = {
  /** The request's id. */
  id: string
  ownerId: number
  keyId: number
  status: number
  code: string
  reason: string
  message: string
  limitSource?: string
  limitName?: string
  operation: string
  called?: string
}

/** What is kept of each key. */
export const KEPT_PER_KEY = 100
const FLUSH_MS = 1_000
/** Keys whose refusals wait at most; what comes beyond that is only counted. */
const MAX_KEYS = 1_000
const MAX_MESSAGE = 500
const MAX_NAME = 200

type Waiting = NotedRefusal & { at: Date }

const WRITE = statement({
  name: 'refusal_write',
  sql: `INSERT INTO refusal (id, owner_id, key_id, at, status, code, reason, message, limit_source, limit_name, operation, called)
    SELECT n.* FROM unnest($1::uuid[], $2::int[], $3::int[], $4::timestamptz[], $5::int[], $6::text[], $7::text[], $8::text[],
      $9::text[], $10::text[], $11::text[], $12::text[])
      AS n (id, owner_id, key_id, at, status, code, reason, message, limit_source, limit_name, operation, called)
    JOIN owner o ON o.id = n.owner_id AND o.deleted_at IS NULL
    ORDER BY n.key_id, n.at
    ON CONFLICT (id) DO NOTHING`,
  params: [
    ...(['uuid[]', 'int[]', 'int[]', 'timestamptz[]', 'int[]', 'text[]', 'text[]', 'text[]'] as const),
    ...(['text[]', 'text[]', 'text[]', 'text[]'] as const),
  ],
})
const DELETE_OLDER = statement({
  name: 'refusal_delete_older',
  sql: `DELETE FROM refusal WHERE id IN (
    SELECT o.id FROM unnest($1::int[]) AS k (id) CROSS JOIN LATERAL (
      SELECT r.id FROM refusal r WHERE r.key_id = k.id ORDER BY r.at DESC, r.id DESC OFFSET ${KEPT_PER_KEY}) o)`,
  params: ['int[]'],
})

let waiting = new Map<number, Waiting[]>()
let timer: NodeJS.Timeout | null = null

/**
 * Notes a refusal in this process, the newest 100 of each key: refusing costs no statement. All of
 * a second are written in one.
 */
export function noteRefusal(refusal: NotedRefusal): void {
  const ofKey = waiting.get(refusal.keyId) ?? []
  if (ofKey.length === 0) {
    if (waiting.size >= MAX_KEYS) return
    waiting.set(refusal.keyId, ofKey)
  }
  if (ofKey.length === KEPT_PER_KEY) ofKey.shift()
  ofKey.push({ ...refusal, at: new Date() })
  timer ??= setTimeout(() => runInBackground(flushRefusals()), FLUSH_MS).unref()
}

const shortened = (text: string | undefined, max: number): string | null =>
  text === undefined ? null : sanitizeTextForPostgres(text.slice(0, max).toWellFormed())

/** Writes what was noted so far. What the database does not take is logged and lost. */
export async function flushRefusals(): Promise<void> {
  if (timer) clearTimeout(timer)
  timer = null
  const keys = [...waiting.keys()]
  const noted = [...waiting.values()].flat()
  waiting = new Map()
  if (noted.length === 0) return
  try {
    await executeStatement(WRITE, [
      noted.map(({ id }) => id),
      noted.map(({ ownerId }) => ownerId),
      noted.map(({ keyId }) => keyId),
      noted.map(({ at }) => at),
      noted.map(({ status }) => status),
      noted.map(({ code }) => code),
      noted.map(({ reason }) => reason),
      noted.map(({ message }) => shortened(message, MAX_MESSAGE) ?? ''),
      noted.map(({ limitSource }) => limitSource ?? null),
      noted.map(({ limitName }) => shortened(limitName, MAX_NAME)),
      noted.map(({ operation }) => operation),
      noted.map(({ called }) => shortened(called, MAX_NAME)),
    ])
    await executeStatement(DELETE_OLDER, [keys])
  } catch (error) {
    log.warn({ refusals: noted.length, err: (error as Error).message }, 'refusals were not noted')
  }
}
