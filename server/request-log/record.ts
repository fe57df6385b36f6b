import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { executeStatement } from '../db'
import { env } from '../env'
import { runInBackground } from '../kit/background'
import { makeBatcher } from '../kit/batch'
import { log } from '../kit/log'
import { statement } from '../kit/statement'
import { boundedJson } from './bounded-json'
import { consentOf, knownConsent } from './consent'
import { countLogEntries } from './metrics'

/** What waits to be written, in bytes at most: what comes beyond is dropped. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024
const MAX_ITEMS = 64

/** A call that has ended. `id` is that of its receipt. */
export type EndedCall = { id: string; ownerId: number; request: unknown; response: unknown }

type Entry = { id: string; ownerId: number; texts: [string, string]; isTruncated: [boolean, boolean] }

// An owner's row is locked until the entry is written, so that turning the log off comes before or
// after it. Where somebody changes that row just now, the entry is left out.
const WRITE = statement({
  name: 'request_log_write',
  sql: `WITH consenting AS MATERIALIZED (
      SELECT id FROM owner WHERE id = ANY ($2::int[]) AND keeps_request_log AND deleted_at IS NULL
      ORDER BY id FOR SHARE SKIP LOCKED
    )
    INSERT INTO request_log (id, owner_id, request, response, request_truncated, response_truncated)
    SELECT l.* FROM unnest($1::uuid[], $2::int[], $3::text[], $4::text[], $5::boolean[], $6::boolean[])
      AS l (id, owner_id, request, response, request_truncated, response_truncated)
    JOIN consenting c ON c.id = l.owner_id
    ON CONFLICT (id) DO NOTHING`,
  params: ['uuid[]', 'int[]', 'text[]', 'text[]', 'boolean[]', 'boolean[]'],
})

async function writeEntries(entries: Entry[]): Promise<null[]> {
  const stored = await executeStatement(WRITE, [
    entries.map(({ id }) => id),
    entries.map(({ ownerId }) => ownerId),
    entries.map(({ texts }) => texts[0]),
    entries.map(({ texts }) => texts[1]),
    entries.map(({ isTruncated }) => isTruncated[0]),
    entries.map(({ isTruncated }) => isTruncated[1]),
  ])
  countLogEntries('stored', stored)
  return entries.map(() => null)
}

const write = makeBatcher(writeEntries, { maxItems: MAX_ITEMS, maxWaiting: 2_000 })

let waitingBytes = 0

/** Whether any request is kept here at all: what a call asks first. */
export const isLogOffered = (): boolean => env().REQUEST_LOG === 'on'

/**
 * Keeps what a call asked and was answered, if its owner chose that: behind the call, which it
 * neither delays nor fails. What cannot be written in time is dropped and counted.
 */
export function logCall(call: EndedCall): void {
  if (!isLogOffered() || knownConsent(call.ownerId) === false) return
  runInBackground(
    keep(call).catch((error: Error) => {
      countLogEntries('dropped', 1)
      log.debug({ requestId: call.id, err: error.message }, 'a request was not written to the request log')
    }),
  )
}

async function keep({ id, ownerId, request, response }: EndedCall): Promise<void> {
  // The response goes out first.
  await yieldToEventLoop()
  const [asked, answered] = [boundedJson(request), boundedJson(response)]
  const bytes = asked.json.length + answered.json.length
  if (waitingBytes + bytes > MAX_WAITING_BYTES) throw new Error('too much is waiting to be written')
  waitingBytes += bytes
  try {
    if (!(await consentOf(ownerId))) return
    await write({
      ...{ id, ownerId },
      texts: [asked.json, answered.json],
      isTruncated: [asked.isTruncated, answered.isTruncated],
    })
  } finally {
    waitingBytes -= bytes
  }
}
