import { statSync } from 'node:fs'
import { runStatement } from '../db'
import { log } from '../kit/log'
import { statement } from '../kit/statement'
import { withTimeout } from '../kit/with-timeout'
import { readDatabaseId } from './database-id'
import type { JournalEntry } from './journal-entry'
import { UNWRITTEN } from './kept-journals'
import { isSettlementPending, settleForAnother, settlePending } from './pending-settlements'
import { type Journal, listJournals, readJournal } from './read-journals'
import { removeJournal } from './settlement-journal'

/** How long a sweep waits for what a dead process left, milliseconds. */
const SETTLE_MS = 5_000

/** Processes of $1 that may come back: a journal is kept until nothing is appended to it. */
const LEASES = statement({
  name: 'journal_leases',
  sql: `SELECT id, lease_until > now() AS lives FROM holder
    WHERE id = ANY ($1) AND lease_until > now() - interval '10 minutes'`,
  params: ['uuid[]'],
  columns: { id: 'uuid', lives: 'boolean' },
})

/** What was read of each journal, which is read again when it has grown. */
const read = new Map<string, Journal & { size: number }>()

/**
 * Writes the settlements that dead processes left in this data folder: those without a lease, and
 * with `isStart` those of all others, of which this process may be the successor. Repeated they
 * charge nothing more. A journal is removed when it is written and its process is long dead; one of
 * another database, and one with damage, is kept. Returns how many settlements it found. Comes
 * before each sweep. Throws `unavailable`.
 */
export async function replayJournals({ isStart = false } = {}): Promise<number> {
  const databaseId = await readDatabaseId()
  const files = listJournals()
  for (const file of read.keys()) if (!files.some((one) => one.file === file)) read.delete(file)
  if (files.length === 0) return 0
  const leases = await runStatement(LEASES, [files.map(({ holderId }) => holderId)])
  const found = new Set(leases.map(({ id }) => id))
  const living = new Set(leases.flatMap(({ id, lives }) => (lives ? [id] : [])))
  let count = 0
  for (const { file, holderId } of files) {
    if (isStart || !living.has(holderId)) count += await replay(file, databaseId)
  }
  if (count > 0) {
    log.warn({ settlements: count }, 'settlements of a process that ended or is cut off are written now')
    await withTimeout(settlePending(SETTLE_MS), SETTLE_MS)
  }
  for (const { file, holderId } of files) if (!found.has(holderId)) removeWritten(file, databaseId)
  return count
}

/** Takes up what a journal has that was not read before. Returns how many settlements that is. */
async function replay(file: string, databaseId: string | null): Promise<number> {
  const size = statSync(file, { throwIfNoEntry: false })?.size
  const known = read.get(file)
  if (size === undefined || size === known?.size) return 0
  const journal = readJournal(file)
  if (!journal) return 0
  if (!isOfDatabase(journal, databaseId)) {
    read.set(file, { ...journal, size })
    log.warn({ file, settlements: journal.entries.length }, 'a settlement journal of another database is kept')
    return 0
  }
  const fresh = await unwrittenOf(journal.entries.slice(known?.entries.length ?? 0))
  for (const entry of fresh) settleForAnother(entry)
  // Only now: with the database away it is read again.
  read.set(file, { ...journal, size })
  return fresh.length
}

/**
 * The entries that are not written yet: a journal has every settlement of a while. What is to be
 * given back is among them, written or not.
 */
async function unwrittenOf(entries: readonly JournalEntry[]): Promise<JournalEntry[]> {
  if (entries.length === 0) return []
  const rows = await runStatement(UNWRITTEN, [entries.map(({ request }) => request.id)])
  const unwritten = new Set(rows.map(({ id }) => id))
  return entries.filter(({ why, request }) => why === 'undo' || unwritten.has(request.id))
}

/** Whether a journal was written for this database; one of nobody knows which may have been. */
const isOfDatabase = (journal: Journal, databaseId: string | null): boolean =>
  journal.databaseId === null || journal.databaseId === databaseId

function removeWritten(file: string, databaseId: string | null): void {
  const journal = read.get(file)
  if (!journal || journal.damaged > 0 || !isOfDatabase(journal, databaseId)) return
  const hasGrown = statSync(file, { throwIfNoEntry: false })?.size !== journal.size
  if (!hasGrown && !journal.entries.some(({ request }) => isSettlementPending(request.id))) removeJournal(file)
}
