import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { askLedger, writeSettlement } from '../../credits/ledger-batch'
import type { ReceiptDetail } from '../../credits/shape'
import { uuidv7 } from '../../kit/id'

const PAYERS = 100
const TURN_MS = 5
/** Beyond it the database does not keep up, and more would only wait. */
const MAX_IN_PROGRESS = 500

const hashOf = (n: number) => createHash('sha256').update(`capacity ${n}`).digest()

/** Owners with a key and credits each, in an empty schema. */
export async function makePayers(db: Pick<pg.Pool, 'query'>): Promise<void> {
  const numbers = Array.from({ length: PAYERS }, (_, i) => i + 1)
  const values = [numbers, numbers.map(hashOf)]
  await db.query(`INSERT INTO owner (id, email) SELECT n, n || '@capacity' FROM unnest($1::int[]) n`, [numbers])
  await db.query(
    `INSERT INTO "key" (id, owner_id, name, tools, allowed_models, capabilities, all_tools, rpm)
     SELECT n, n, 'capacity', '{}', '{}', '{}', true, 1000000000 FROM unnest($1::int[]) n`,
    [numbers],
  )
  await db.query(
    `INSERT INTO key_secret (hash, key_id, last4) SELECT h, n, 'last' FROM unnest($1::int[], $2::bytea[]) AS u (n, h)`,
    values,
  )
  await db.query(`SELECT credits_grant(n, 1000000000, 'capacity') FROM unnest($1::int[]) n`, [numbers])
  await db.query(`UPDATE account SET max_rpm = 1000000000, max_calls = 1000000000`)
}

const QUERY: ReceiptDetail = { durationMs: 812 }
const CHAT: ReceiptDetail = {
  durationMs: 4_812,
  inputTokens: 1_812,
  outputTokens: 412,
  creditsPer1mInput: 3_000,
  creditsPer1mOutput: 15_000,
}

/** One billed call as the ledger sees it: the key and the hold in one step, then the receipt. */
async function call(n: number): Promise<void> {
  const ownerId = (n % PAYERS) + 1
  const isChat = n % 2 === 1
  const id = uuidv7()
  const what = isChat
    ? ({ product: 'chat', what: 'large-model' } as const)
    : ({ product: 'tool', what: 'web_search' } as const)
  const reserve = { id, ownerId, keyId: ownerId, maxCredits: 20n, channel: 'rest', ...what } as const
  const { reserved } = await askLedger({ hash: hashOf(ownerId), version: 1, reserve, owner: ownerId })
  if (reserved?.outcome !== 'held') throw new Error(`a measured call was refused: ${reserved?.outcome ?? 'no key'}`)
  await writeSettlement({ id, ownerId, held: 20n, actual: 9n, status: 'ok', detail: isChat ? CHAT : QUERY })
}

/**
 * Makes calls at a steady rate for some seconds, fewer where the database does not keep up. Returns
 * how many were made, after the last has ended. Rejects with the first error.
 */
export async function makeCalls({ rate, seconds }: { rate: number; seconds: number }): Promise<number> {
  const started = performance.now()
  const inProgress = new Set<Promise<void>>()
  let made = 0
  let failure: unknown
  for (let elapsed = 0; elapsed < seconds && failure === undefined; elapsed = (performance.now() - started) / 1_000) {
    for (const due = Math.floor(rate * elapsed); made < due && inProgress.size < MAX_IN_PROGRESS; made++) {
      const one: Promise<void> = call(made)
        .catch((error: unknown) => {
          failure ??= error
        })
        .finally(() => inProgress.delete(one))
      inProgress.add(one)
    }
    await sleep(TURN_MS)
  }
  await Promise.all(inProgress)
  if (failure !== undefined) throw failure
  return made
}
