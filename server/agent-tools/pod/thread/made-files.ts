import type { PodEntry, PodFiles } from '../pod-files'
import { bytesOf, isStartOf } from './lost-paths'

/**
 * The files and links of a pod that a run did not make itself: only a person may let it destroy
 * them.
 */
export const olderFiles = (files: PodFiles, run: string | undefined): PodFiles =>
  new Map([...files].filter(([, entry]) => entry.kind !== 'folder' && (run === undefined || entry.run !== run)))

/**
 * A pod after a command, with the run that made each file. A file that grew at its end, and content
 * that was moved to another path, remain those of the run that made them.
 */
export function withMakers(before: PodFiles, after: PodFiles, run: string | undefined): PodFiles {
  const isAt = (path: string, entry: PodEntry) => {
    const now = after.get(path)
    return now !== undefined && holds(now, entry)
  }
  const moved = [...olderFiles(before, run)].flatMap(([path, entry]) =>
    isAt(path, entry) || sizeOf(entry) === 0 ? [] : [entry],
  )
  const makerOf = (path: string, entry: PodEntry): string | undefined => {
    const was = before.get(path)
    const older = was && holds(entry, was) ? was : moved.find((one) => holds(entry, one))
    return older && older.kind !== 'folder' ? older.run : run
  }
  return new Map(
    [...after].map(([path, entry]) => [
      path,
      entry.kind === 'folder' ? entry : { ...entry, run: makerOf(path, entry) },
    ]),
  )
}

const sizeOf = (entry: PodEntry): number => bytesOf(entry)?.byteLength ?? 0

/** Whether an entry has the content of another one, perhaps with more after it. */
function holds(entry: PodEntry, older: PodEntry): boolean {
  const [now, then] = [bytesOf(entry), bytesOf(older)]
  return entry.kind === older.kind && now !== null && then !== null && isStartOf(then, now)
}
