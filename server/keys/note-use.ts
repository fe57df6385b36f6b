import { LRUCache } from 'lru-cache'
import { executeStatement } from '../db'
import { runInBackground } from '../kit/background'
import { log } from '../kit/log'
import { statement } from '../kit/statement'

const NOTE = statement({
  name: 'keys_note_use',
  sql: `INSERT INTO key_use (key_id, used_at) VALUES ($1, now())
    ON CONFLICT ON CONSTRAINT key_use_pkey DO UPDATE SET used_at = excluded.used_at
      WHERE key_use.used_at < excluded.used_at - interval '1 minute'`,
  params: ['int'],
})

/** As exact as `last used` is: to the minute, as for calls with the key's secret. */
const EVERY_MS = 60_000

const noted = new LRUCache<number, true>({ max: 10_000, ttl: EVERY_MS })

/**
 * Remembers that a key is used now, where nobody sent its secret: a run spends its credits. Costs
 * one statement a minute and key, which nobody waits for.
 */
export function noteKeyUse(keyId: number): void {
  if (noted.has(keyId)) return
  noted.set(keyId, true)
  const work = executeStatement(NOTE, [keyId]).catch((error: Error) => {
    noted.delete(keyId)
    log.warn({ key: keyId, err: error.message }, 'the use of a key was not remembered')
  })
  runInBackground(work)
}
