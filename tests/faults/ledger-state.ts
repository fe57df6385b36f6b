import { spawn } from 'node:child_process'
import path from 'node:path'
import { PROJECT_ROOT } from '../../server/cli/kit/project'
import type { TestedService } from './run-round'

export type StoredReceipt = { id: string; status: string; charged: number }

/**
 * What the database says of an owner: the sum of all its charges, the receipts of its calls, and
 * its open holds.
 */
export type LedgerState = {
  ledger: number
  receipts: StoredReceipt[]
  holds: number
  /** By Idempotency-Key: the call that its stored answer is of. */
  storedBy: Map<string, string>
}

/** Reads an owner's books. */
export async function readLedgerState({ database }: TestedService, ownerId: number): Promise<LedgerState> {
  const receipts = await database.query<StoredReceipt>(
    "SELECT id, status, charged::int FROM receipt WHERE owner_id = $1 AND channel <> 'agent'",
    [ownerId],
  )
  const [sum] = await database.query<{ ledger: number }>(
    'SELECT coalesce(-sum(amount), 0)::int AS ledger FROM ledger WHERE owner_id = $1 AND hold_id IS NOT NULL',
    [ownerId],
  )
  const stored = await database.query<{ token: string; id: string }>(
    `SELECT i.token, i.hold_id AS id FROM idempotency i JOIN "key" k ON k.id = i.key_id
     WHERE k.owner_id = $1 AND i.status IS NOT NULL`,
    [ownerId],
  )
  const storedBy = new Map(stored.map(({ token, id }) => [token, id]))
  return { ledger: sum?.ledger ?? 0, receipts, holds: await countHolds({ database }, [ownerId]), storedBy }
}

/** Open holds of some owners. */
export async function countHolds(
  { database }: Pick<TestedService, 'database'>,
  ownerIds: readonly number[],
): Promise<number> {
  const sql = 'SELECT count(*)::int AS holds FROM hold WHERE owner_id = ANY ($1)'
  return (await database.query<{ holds: number }>(sql, [ownerIds]))[0]?.holds ?? 0
}

/**
 * Runs the operator's `ledger verify` on the cluster's database. Returns what it found; null when
 * the ledger agrees.
 */
export function verifyClusterLedger({ env }: TestedService): Promise<string | null> {
  const entry = path.join(PROJECT_ROOT, 'dist', 'admin.js')
  const child = spawn(process.execPath, [entry, 'ledger', 'verify', '--json'], {
    cwd: PROJECT_ROOT,
    env: { ...process.env, ...env, LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data) => {
      output += data
    })
  }
  return new Promise((resolve) =>
    child.once('close', (code) => resolve(code === 0 ? null : output.trim() || `exit ${code}`)),
  )
}
