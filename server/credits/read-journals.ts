import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { readFramedLines } from '../kit/framed-lines'
import { log } from '../kit/log'
import { holderId } from './holder'
import { type JournalEntry, parseJournalText } from './journal-entry'
import { journalFolder } from './settlement-journal'

/** A journal of another process, or what it left. `databaseId` is null where nobody knew it. */
export type Journal = {
  file: string
  databaseId: string | null
  entries: JournalEntry[]
  /** Lines that cannot be read, but for the last one, which a crash may have cut short. */
  damaged: number
}

/** Files of this release, and of the previous one: its lines are bare JSON. */
const NAME = /^([0-9a-f-]{36})(-\d+\.journal|\.jsonl)$/

/** The journals that other processes have in this data folder, with the process of each. */
export function listJournals(): { file: string; holderId: string }[] {
  return namesIn(journalFolder()).flatMap((name) => {
    const [, of] = name.match(NAME) ?? []
    return of === undefined || of === holderId() ? [] : [{ file: path.join(journalFolder(), name), holderId: of }]
  })
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}

/** Reads a journal; null where it is gone or cannot be read, which is logged. */
export function readJournal(file: string): Journal | null {
  const bytes = bytesOf(file)
  if (bytes === null) return null
  const { lines, damaged } = file.endsWith('.jsonl') ? readBareLines(bytes) : readFramedLines(bytes)
  const parsed = lines.map(parseJournalText)
  const head = parsed.find((line) => line !== null && 'journal' in line)
  const entries = parsed.filter((line) => line !== null && 'request' in line)
  const unknown = parsed.filter((line) => line === null).length
  if (damaged + unknown > 0)
    log.error({ file, lines: damaged + unknown }, 'lines of a settlement journal cannot be read')
  return { file, databaseId: head?.databaseId ?? null, entries, damaged: damaged + unknown }
}

function readBareLines(bytes: Buffer) {
  return { lines: bytes.toString('utf8').split('\n').slice(0, -1).filter(Boolean), damaged: 0 }
}

function bytesOf(file: string): Buffer | null {
  try {
    return readFileSync(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      log.error({ file, err: (error as Error).message }, 'a settlement journal cannot be read')
    return null
  }
}
