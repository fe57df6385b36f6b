import { CliError } from '../kit/project'
import { isWhole, MANIFEST } from './manifest'
import type { BackupPlace } from './place'

/** A backup's name: names sort by time. */
const NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z$/

/** No backup takes as long, milliseconds. */
const LONGEST_MS = 86_400_000

const nameAt = (ms: number): string => new Date(ms).toISOString().replaceAll(/[:.]/g, '-')

/** The place of a new backup among others, named after this moment. */
export const newBackupIn = (place: BackupPlace): BackupPlace => place.in(nameAt(Date.now()))

type Named = { name: string; isBackup: boolean }

/** What `newBackupIn` named, oldest first, and whether it was completed. */
async function namedIn(place: BackupPlace): Promise<Named[]> {
  const names = (await place.names()).filter((name) => NAME.test(name))
  return Promise.all(names.map(async (name) => ({ name, isBackup: await isWhole(place.in(name)) })))
}

/** What backups that were killed have left, a day after they began. */
async function killedIn(place: BackupPlace, named: readonly Named[]): Promise<string[]> {
  const drafts = place.draftSuffix
    ? (await place.names()).filter(
        (name) => name.endsWith(place.draftSuffix) && NAME.test(name.slice(0, -place.draftSuffix.length)),
      )
    : named.filter(({ isBackup }) => !isBackup).map(({ name }) => name)
  return drafts.filter((name) => name < nameAt(Date.now() - LONGEST_MS))
}

/**
 * Deletes all but the newest `kept` whole backups that `newBackupIn` named, and what backups that
 * were killed have left. Anything else stays. Returns the names of what was deleted.
 */
export async function deleteOlderBackups(place: BackupPlace, kept: number): Promise<string[]> {
  const named = await namedIn(place)
  const whole = named.filter(({ isBackup }) => isBackup).map(({ name }) => name)
  const old = [...whole.slice(0, Math.max(0, whole.length - kept)), ...(await killedIn(place, named))]
  for (const name of old) await place.in(name).remove()
  return old
}

/** A backup, and the newer ones beside it that are not whole. */
export type FoundBackup = { place: BackupPlace; skipped: string[] }

/**
 * The backup at a place, or the newest complete one in it. Throws a CliError without one.
 */
export async function findBackup(place: BackupPlace): Promise<FoundBackup> {
  const own = await place.read(MANIFEST)
  own?.destroy()
  if (own !== null) return { place, skipped: [] }
  const names = await place.names()
  const newestFirst = names.filter((name) => NAME.test(name)).reverse()
  for (const [at, name] of newestFirst.entries())
    if (await isWhole(place.in(name))) return { place: place.in(name), skipped: newestFirst.slice(0, at) }
  throw new CliError(`${place.label} is not a backup, and no whole one is in it.`)
}
