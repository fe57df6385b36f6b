import { existsSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'

/** A backup's name, and what a killed one leaves: names sort by time. */
const NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z$/
const PARTIAL = '.partial'

/** No backup takes as long, milliseconds. */
const LONGEST_MS = 86_400_000

const nameAt = (ms: number): string => new Date(ms).toISOString().replaceAll(/[:.]/g, '-')

/** The path of a new backup in a folder of them, named after this moment. */
export const newBackupIn = (folder: string): string => path.join(folder, nameAt(Date.now()))

/**
 * Deletes all but the newest `kept` backups that `newBackupIn` named, and what backups that were
 * killed have left. Anything else in the folder stays. Returns the names of what was deleted.
 */
export function deleteOlderBackups(folder: string, kept: number): string[] {
  const names = readdirSync(folder).sort()
  const whole = names.filter((name) => NAME.test(name) && existsSync(path.join(folder, name, 'manifest.json')))
  const killed = names.filter(
    (name) =>
      name.endsWith(PARTIAL) && NAME.test(name.slice(0, -PARTIAL.length)) && name < nameAt(Date.now() - LONGEST_MS),
  )
  const old = [...whole.slice(0, Math.max(0, whole.length - kept)), ...killed]
  for (const name of old) rmSync(path.join(folder, name), { recursive: true })
  return old
}
