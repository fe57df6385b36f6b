import { deepEqual, equal, partialDeepStrictEqual } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { AuditCell } from '../faults/audit'
import { sendQuery } from '../faults/channels/query'
import { faultFindings } from '../faults/report'
import { type Account, runRound, type TestedService } from '../faults/run-round'
import type { Services } from '../faults/services'
import { queryOnce } from '../support/query-once'
import type { Installation } from './installation'

const EMAIL = 'operator@example.com'
const PRICE = 3
/** Calls of the operator's own key to each process. */
const CALLS = 20

const sum = (cells: readonly AuditCell[], of: (cell: AuditCell) => number) =>
  cells.reduce((total, cell) => total + of(cell), 0)

/** What happens to a service under calls. `mayCut`: a process is killed, and its calls with it. */
export type Change = { name: string; mayCut?: boolean; happen: () => Promise<void> }

/**
 * Sends every channel's traffic while something is done, and compares it with the ledger. Throws
 * where that differs, or where a call failed that was not cut. Returns what happened in one line.
 */
export async function underCalls(service: TestedService, { name, mayCut = false, happen }: Change): Promise<string> {
  const fault = { name, part: 'web' as const, mayCut, unavailable: () => null, happen }
  const round = await runRound(service, fault, { maxUnrelatedMs: Number.POSITIVE_INFINITY })
  const { cells } = round
  const [calls, delivered] = [sum(cells, (cell) => cell.calls), sum(cells, (cell) => cell.delivered)]
  const [cut, unsent] = [sum(cells, (cell) => cell.cut), sum(cells, (cell) => cell.unsent)]
  const [seen, ledger] = [sum(cells, (cell) => cell.seen), sum(cells, (cell) => cell.ledger - cell.cutCharged)]
  deepEqual(faultFindings(round), [])
  const line = `${name}: ${delivered} of ${calls} calls delivered, ${cut} cut, ${unsent} unsent; ${seen} credits seen, ${ledger} in the ledger, verify clean`
  if (!mayCut) equal(delivered, calls, line)
  return line
}

/** Replaces every process, one after the other. */
export async function replaceAll({ web, worker }: Services): Promise<void> {
  for (const one of [...web, ...worker]) {
    one.signal('SIGTERM')
    await one.ended()
    await one.start()
  }
}

const OWN_KEY = ['--name', 'calls', '--llm', '--agent', '--agent-budget', '1000000', '--rpm', '100000']

/** An account with credits and a key, made by a release's commands. */
export async function openAccountBy({ admin }: Installation, settings: Record<string, string>): Promise<Account> {
  const whose = ['--email', `${randomUUID()}@example.com`]
  const { id } = await admin(['owner', 'create', ...whose, '--password', 'long enough for it'], settings)
  await admin(['credits', 'grant', ...whose, '--credits', '10000000'], settings)
  const { key } = await admin(['key', 'create', ...whose, ...OWN_KEY], settings)
  return { ownerId: Number(id), key: String(key) }
}

/** `ledger verify` of a release, as a round asks for it. */
export const verifyBy = ({ admin }: Installation, settings: Record<string, string>): Promise<string | null> =>
  admin(['ledger', 'verify'], settings).then(
    () => null,
    (error: Error) => error.message,
  )

/** Makes an operator with credits and a key, by commands; returns the key. */
export async function makeOperatorKey(release: Installation, settings: Record<string, string>): Promise<string> {
  await release.admin(['owner', 'create', '--email', EMAIL, '--password', 'long enough for it', '--admin'], settings)
  await release.admin(['credits', 'grant', '--email', EMAIL, '--credits', '10000'], settings)
  return String(
    (await release.admin(['key', 'create', '--email', EMAIL, '--name', 'check', '--rpm', '100000'], settings)).key,
  )
}

/** Calls with the operator's key: each must be delivered and charged. Returns how many. */
export async function callWith(key: string, urls: readonly string[]): Promise<number> {
  const send = sendQuery(key, 'crypto_get_prices', { coinIds: ['bitcoin'] })
  for (const url of urls) for (let n = 0; n < CALLS; n++) partialDeepStrictEqual(await send(url), { charged: PRICE })
  return CALLS * urls.length
}

/** Compares the operator's calls with the ledger, which `ledger verify` must find clean. */
export async function requireExact(
  release: Installation,
  settings: Record<string, string> & { DATABASE_URL: string },
  calls: number,
): Promise<void> {
  equal((await release.admin(['ledger', 'verify'], settings)).ok, true)
  const sql = `SELECT -sum(l.amount)::int AS charged FROM ledger l JOIN owner o ON o.id = l.owner_id
    WHERE o.email = $1 AND l.hold_id IS NOT NULL`
  deepEqual(await queryOnce(settings.DATABASE_URL, sql, [EMAIL]), [{ charged: calls * PRICE }])
}

/** How many charges a database has. */
export async function countCharges(url: string): Promise<number> {
  const [row] = await queryOnce<{ n: number }>(url, 'SELECT count(*)::int AS n FROM ledger WHERE amount < 0')
  return row?.n ?? 0
}
