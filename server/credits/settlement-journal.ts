import { closeSync, ftruncateSync, mkdirSync, openSync, rmSync, statSync, writeSync } from 'node:fs'
import path from 'node:path'
import { env } from '../env'
import { frameLine } from '../kit/framed-lines'
import { log } from '../kit/log'
import { knownDatabaseId } from './database-id'
import { holderId } from './holder'
import { type JournalEntry, journalText } from './journal-entry'

/** A full segment is followed by the next one, and removed when nothing in it waits. */
const SEGMENT_BYTES = 4 * 1024 * 1024

/** A file of this process: where its whole lines end, and how many settlements of it wait. */
type Segment = { file: string; fd: number; size: number; waiting: number }

const state = {
  current: undefined as Segment | undefined,
  segmentOf: new Map<string, Segment>(),
  made: 0,
}

/** The folder that all processes of one DATA_DIR keep their journals in. */
export const journalFolder = (): string => path.resolve(env().DATA_DIR, 'journal')

/** Whether a settlement would survive this process. */
export const isInJournal = (id: string): boolean => state.segmentOf.has(id)

/**
 * Appends settlements to this process's journal, in one write. Where that fails nothing is kept of
 * them, which is logged each time, and it returns false: they then wait in memory alone, until they
 * are given again.
 */
export function appendToJournal(entries: readonly JournalEntry[]): boolean {
  if (entries.length === 0) return true
  const bytes = Buffer.concat(entries.map((entry) => frameLine(journalText(entry))))
  try {
    let segment = currentSegment()
    writeWhole(segment, bytes)
    if (isRemoved(segment)) {
      forgetSegment(segment)
      segment = currentSegment()
      writeWhole(segment, bytes)
    }
    for (const { request } of entries) state.segmentOf.set(request.id, segment)
    segment.waiting += entries.length
    return true
  } catch (error) {
    log.error(
      { err: (error as Error).message, settlements: entries.length },
      'the settlement journal cannot be written',
    )
    return false
  }
}

function currentSegment(): Segment {
  const { current } = state
  if (current && current.size < SEGMENT_BYTES) return current
  mkdirSync(journalFolder(), { recursive: true, mode: 0o700 })
  const file = path.join(journalFolder(), `${holderId()}-${state.made++}.journal`)
  const segment: Segment = { file, fd: openSync(file, 'wx', 0o600), size: 0, waiting: 0 }
  try {
    const head = journalText({ journal: 1, databaseId: knownDatabaseId(), holderId: holderId() })
    writeWhole(segment, frameLine(head))
  } catch (error) {
    removeSegment(segment)
    throw error
  }
  state.current = segment
  if (current?.waiting === 0) removeSegment(current)
  return segment
}

/** Writes all of it or leaves nothing: what a full disk took of it is cut off, and written over. */
function writeWhole(segment: Segment, bytes: Buffer): void {
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(segment.fd, bytes, at, bytes.length - at, segment.size + at)
    segment.size += bytes.length
  } catch (error) {
    ftruncateSync(segment.fd, segment.size)
    throw error
  }
}

/** True where the file is gone: a process that was cut off for long counts as dead. */
const isRemoved = ({ file }: Segment): boolean => statSync(file, { throwIfNoEntry: false }) === undefined

function forgetSegment(segment: Segment): void {
  for (const [id, of] of state.segmentOf) if (of === segment) state.segmentOf.delete(id)
  if (state.current === segment) state.current = undefined
  removeSegment(segment)
}

/** Says that the outcome of a settlement is known. */
export function settledInJournal(id: string): void {
  const segment = state.segmentOf.get(id)
  if (!segment) return
  state.segmentOf.delete(id)
  segment.waiting--
  if (segment.waiting === 0 && segment !== state.current) removeSegment(segment)
}

/** Removes this process's journal where nothing in it waits. */
export function clearJournal(): void {
  const { current } = state
  if (!current || current.waiting > 0) return
  state.current = undefined
  removeSegment(current)
}

function removeSegment({ file, fd }: Segment): void {
  closeSync(fd)
  removeJournal(file)
}

/** Removes a journal of which nothing waits. */
export function removeJournal(file: string): void {
  try {
    rmSync(file, { force: true })
  } catch (error) {
    log.warn({ err: (error as Error).message }, 'a settlement journal cannot be removed')
  }
}
