import type { Readable } from 'node:stream'

/** A folder or a bucket's prefix: of one backup, or of several beside each other. */
export type BackupPlace = {
  /** What it is, for people; without credentials. */
  label: string
  /** What the name of a backup ends with while it is written. */
  draftSuffix: '' | '.partial'
  /** The place with that name in this one. */
  in: (name: string) => BackupPlace
  /** What is in this place: folders, in order. Empty where nothing is. */
  names: () => Promise<string[]>
  /** Writes a file, whose path has slashes. */
  write: (file: string, source: AsyncIterable<Buffer>) => Promise<void>
  /** A file's bytes; null: it is not there. */
  read: (file: string) => Promise<Readable | null>
  /** Begins a backup here. Throws a CliError where one is. */
  begin: () => Promise<BackupDraft>
  /** Deletes all that is here: interrupted, what is left is not a whole backup. */
  remove: () => Promise<void>
}

/** A backup that is being written; `complete` makes it one. */
export type BackupDraft = { place: BackupPlace; complete: () => void; discard: () => Promise<void> }
