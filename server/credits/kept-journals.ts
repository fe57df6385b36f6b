import path from 'node:path'
import { runRead } from '../db'
import type { ReadOptions } from '../kit/pg-read'
import { statement } from '../kit/statement'
import { readDatabaseId } from './database-id'
import { type Journal, listJournals, readJournal } from './read-journals'

/** A journal that is not written by itself: somebody has to look at it. Charges are in credits. */
export type KeptJournal = { file: string; why: 'other_database' | 'damaged'; settlements: number; credits: number }

/** Those of $1 that have no receipt of their own yet. */
export const UNWRITTEN = statement({
  name: 'journal_unwritten',
  sql: `SELECT u.id FROM unnest($1::uuid[]) AS u (id)
    WHERE NOT EXISTS (SELECT 1 FROM receipt r WHERE r.id = u.id AND r.status <> 'expired')
      AND NOT EXISTS (SELECT 1 FROM settlement_dead d WHERE d.id = u.id)`,
  params: ['uuid[]'],
  columns: { id: 'uuid' },
})

/**
 * What the journals of other processes in this data folder have that is not written yet, and those
 * that stay: of another database (or of this one before a restore), and with damage.
 */
export async function readKeptJournals(options?: ReadOptions): Promise<{ inJournals: number; kept: KeptJournal[] }> {
  const databaseId = await readDatabaseId()
  const journals = listJournals().flatMap(({ file }) => readJournal(file) ?? [])
  const isForeign = (journal: Journal) => journal.databaseId !== null && journal.databaseId !== databaseId
  const ids = journals
    .filter((one) => !isForeign(one))
    .flatMap(({ entries }) => entries.map(({ request }) => request.id))
  const unwritten = ids.length > 0 ? await runRead(UNWRITTEN, [ids], options) : []
  const kept = journals.flatMap((journal) => {
    if (isForeign(journal)) return [keptJournal(journal, 'other_database')]
    return journal.damaged > 0 ? [keptJournal(journal, 'damaged')] : []
  })
  return { inJournals: unwritten.length, kept }
}

const keptJournal = ({ file, entries }: Journal, why: KeptJournal['why']): KeptJournal => ({
  file: path.basename(file),
  why,
  settlements: entries.length,
  credits: entries.reduce((sum, { request }) => sum + Number(request.actual), 0),
})
