import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { env } from '../env'
import { log } from '../kit/log'
import { holderId } from './holder'
import { CallChannel, ReceiptDetail } from './shape'

const Credits = z
  .string()
  .regex(/^-?\d+$/)
  .transform(BigInt)

/** A settlement as one line of a journal: JSON, credits as text. */
const Entry = z.object({
  why: z.enum(['write', 'undo']),
  request: z.object({
    id: z.uuid(),
    ownerId: z.int(),
    channel: CallChannel.optional(),
    held: Credits,
    actual: Credits,
    extend: z.boolean().optional(),
    status: z.enum(['ok', 'failed', 'void']),
    detail: ReceiptDetail.optional(),
    answer: z.object({ status: z.int(), body: z.string() }).optional(),
  }),
})
export type JournalEntry = z.infer<typeof Entry>

/** A settlement as it is stored, in a journal or put aside. */
export const StoredSettlement = Entry.shape.request

const folder = () => path.resolve(env().DATA_DIR, 'journal')
const ownFile = () => path.join(folder(), `${holderId()}.jsonl`)

const state = { isWritten: false, failed: false }

const asText = (_name: string, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)

/**
 * Notes a settlement that waits in this process's journal, before its caller is answered. A folder
 * that cannot be written is logged once: the settlement then waits in memory alone.
 */
export function appendToJournal(entry: JournalEntry): void {
  try {
    mkdirSync(folder(), { recursive: true, mode: 0o700 })
    appendFileSync(ownFile(), `${JSON.stringify(entry, asText)}\n`, { mode: 0o600 })
    state.isWritten = true
  } catch (error) {
    if (!state.failed) log.error({ err: (error as Error).message }, 'the settlement journal cannot be written')
    state.failed = true
  }
}

/** Removes this process's journal: nothing waits any more. */
export function clearJournal(): void {
  if (!state.isWritten) return
  state.isWritten = false
  removeJournal(ownFile())
}

/** Removes a journal whose settlements were taken up. */
export function removeJournal(file: string): void {
  try {
    rmSync(file, { force: true })
  } catch (error) {
    log.warn({ err: (error as Error).message }, 'a settlement journal cannot be removed')
  }
}

/**
 * What other processes left in the folder, crashed ones or living ones: settlements may be
 * repeated. A line that a crash cut short is left out.
 */
export function readJournals(): { file: string; entries: JournalEntry[] }[] {
  const files = namesIn(folder())
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => path.join(folder(), name))
  return files.filter((file) => file !== ownFile()).map((file) => ({ file, entries: entriesOf(file) }))
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}

function entriesOf(file: string): JournalEntry[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.filter((line) => line !== '').flatMap((line) => readLine(line, file))
}

function readLine(line: string, file: string): JournalEntry[] {
  try {
    return [Entry.parse(JSON.parse(line))]
  } catch {
    log.error({ file: path.basename(file), line: line.slice(0, 200) }, 'a line of a settlement journal cannot be read')
    return []
  }
}
