import { closeQueue } from '../../agent/queue/connection'
import { findLedgerDifferences } from '../../credits/verify'
import type { LedgerDifference } from '../../credits/verify-checks'
import { voidAllHolds } from '../../credits/void-all-holds'
import { closeDb } from '../../db'
import { type Env, env } from '../../env'

export type FinishedCopy = { voidedHolds: number; differences: LedgerDifference[]; close: () => Promise<void> }

type Database = Pick<Env, 'DATABASE_URL'> & { DATABASE_DIRECT_URL?: string | undefined }

/** Makes this process use another database from here on. */
export async function switchDatabase({ DATABASE_URL, DATABASE_DIRECT_URL }: Database): Promise<void> {
  await closeQueue()
  await closeDb()
  // Also where the command was started without one.
  process.env.DATABASE_URL = DATABASE_URL
  Object.assign(env(), { DATABASE_URL, DATABASE_DIRECT_URL })
}

/**
 * What a database needs before it serves in place of the one it was copied from: calls that were in
 * progress end without a charge, and the ledger is verified. This process uses it from here on.
 */
export async function finishCopy(url: string): Promise<FinishedCopy> {
  await switchDatabase({ DATABASE_URL: url })
  const voidedHolds = await voidAllHolds()
  return { voidedHolds, differences: await findLedgerDifferences(), close: closeDb }
}
