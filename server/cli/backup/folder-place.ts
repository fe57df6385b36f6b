import { createReadStream, createWriteStream, existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { makeFolder } from '../kit/make-folder'
import { CliError } from '../kit/project'
import type { BackupDraft, BackupPlace } from './place'

const PARTIAL = '.partial'

/** A folder as a place for backups. Everything in it is readable by its owner only. */
export function folderPlace(folder: string): BackupPlace {
  return {
    label: folder,
    draftSuffix: PARTIAL,
    in: (name) => folderPlace(path.join(folder, name)),
    names: async () =>
      existsSync(folder)
        ? readdirSync(folder, { withFileTypes: true })
            .filter((entry) => entry.isDirectory())
            .map(({ name }) => name)
            .sort()
        : [],
    write: async (file, source) => {
      const target = path.join(folder, file)
      makeFolder(path.dirname(target), 0o700)
      await pipeline(source, createWriteStream(target, { mode: 0o600, flush: true }))
    },
    read: async (file) => {
      const from = path.join(folder, file)
      return existsSync(from) ? createReadStream(from) : null
    },
    begin: async () => beginIn(folder),
    remove: async () => {
      const aside = folder.endsWith(PARTIAL) ? folder : `${folder}${PARTIAL}`
      if (aside !== folder) renameSync(folder, aside)
      rmSync(aside, { recursive: true })
    },
  }
}

/** Another name until it is complete: what was interrupted does not look like a backup. */
function beginIn(folder: string): BackupDraft {
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new CliError(`${folder} is not empty: name a new folder.`)
  const draft = `${folder}${PARTIAL}`
  if (existsSync(draft))
    throw new CliError(
      `${draft} exists: another backup is writing it, or one was killed. If none runs, delete that folder.`,
    )
  makeFolder(draft, 0o700)
  return {
    place: folderPlace(draft),
    complete: () => renameSync(draft, folder),
    discard: async () => rmSync(draft, { recursive: true, force: true }),
  }
}
