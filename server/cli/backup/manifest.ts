import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { CliError } from '../project'
import { SecretFingerprints } from './secrets'

/** A table and its columns, in the order in which they are copied. */
export type CopyTable = { name: string; columns: string[] }

/** A sequence with the last number it gave; null: none yet. */
export type CopySequence = { name: string; lastValue: string | null }

/** A file of the backup, by its path in it. */
const BackupPart = z.object({ file: z.string(), bytes: z.number().int(), sha256: z.string() })
export type BackupPart = z.infer<typeof BackupPart>

const BackupTable = BackupPart.extend({
  name: z.string(),
  columns: z.array(z.string()),
  rows: z.number().int(),
})
export type BackupTable = z.infer<typeof BackupTable>

const FORMAT = 1

/** What a backup holds. Written last, so a folder without it is not a backup. */
const Manifest = z.object({
  format: z.literal(FORMAT, `was made by a newer version of Tollgate: run that one`),
  version: z.string(),
  createdAt: z.string(),
  postgres: z.string(),
  migrations: z.array(z.string()).min(1),
  tables: z.array(BackupTable),
  sequences: z.array(z.object({ name: z.string(), lastValue: z.string().nullable() })),
  /** The list of hosted files; null where they were left out. */
  files: BackupPart.extend({ count: z.number().int(), missing: z.number().int(), totalBytes: z.number() }).nullable(),
  secrets: SecretFingerprints,
})
export type Manifest = z.infer<typeof Manifest>

const NAME = 'manifest.json'
const CHECKSUM = `${NAME}.sha256`

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Completes a backup: its list of contents, and the checksum of that in the form of sha256sum. */
export function writeManifest(folder: string, manifest: Omit<Manifest, 'format'>): void {
  const text = `${JSON.stringify({ format: FORMAT, ...manifest } satisfies Manifest, null, 2)}\n`
  writeFileSync(path.join(folder, CHECKSUM), `${sha256(text)}  ${NAME}\n`, { mode: 0o600 })
  writeFileSync(path.join(folder, NAME), text, { mode: 0o600, flush: true })
}

/**
 * Reads what a backup holds. Throws a CliError for a folder that is not one, or not a whole one.
 */
export function readManifest(folder: string): Manifest {
  const file = path.join(folder, NAME)
  if (!existsSync(folder)) throw new CliError(`There is no folder ${folder}.`)
  if (!existsSync(file)) throw new CliError(`${folder} is not a backup: it has no ${NAME}.`)
  const text = readFileSync(file, 'utf8')
  const sum = path.join(folder, CHECKSUM)
  const isWhole = existsSync(sum) && readFileSync(sum, 'utf8').startsWith(sha256(text))
  if (!isWhole) throw new CliError(`The backup is damaged: ${NAME} is not as it was written. Use another backup.`)
  const parsed = Manifest.safeParse(JSON.parse(text))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new CliError(`The backup in ${folder} cannot be read: ${issue?.path.join('.')} ${issue?.message}`)
}
