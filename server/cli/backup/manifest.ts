import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { text as readAll } from 'node:stream/consumers'
import { z } from 'zod'
import { CliError } from '../kit/project'
import type { BackupPlace } from './place'
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

/** The file without which a place is not a backup: written last, deleted first. */
export const MANIFEST = 'manifest.json'
const CHECKSUM = `${MANIFEST}.sha256`

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Completes a backup: its list of contents, and the checksum of that in the form of sha256sum. */
export async function writeManifest(place: BackupPlace, manifest: Omit<Manifest, 'format'>): Promise<void> {
  const text = `${JSON.stringify({ format: FORMAT, ...manifest } satisfies Manifest, null, 2)}\n`
  await place.write(CHECKSUM, Readable.from([Buffer.from(`${sha256(text)}  ${MANIFEST}\n`)]))
  await place.write(MANIFEST, Readable.from([Buffer.from(text)]))
}

const textOf = async (place: BackupPlace, file: string): Promise<string | null> => {
  const found = await place.read(file)
  return found && readAll(found)
}

/** Whether a backup was completed here: its list is there, as it was written. */
export async function isWhole(place: BackupPlace): Promise<boolean> {
  const text = await textOf(place, MANIFEST)
  return text !== null && ((await textOf(place, CHECKSUM)) ?? '').startsWith(sha256(text))
}

/**
 * Reads what a backup holds. Throws a CliError for a place that is not one, or not a whole one.
 */
export async function readManifest(place: BackupPlace): Promise<Manifest> {
  const text = await textOf(place, MANIFEST)
  if (text === null) throw new CliError(`${place.label} is not a backup: it has no ${MANIFEST}.`)
  if (!(await isWhole(place)))
    throw new CliError(`The backup is damaged: ${MANIFEST} is not as it was written. Use another backup.`)
  const parsed = Manifest.safeParse(JSON.parse(text))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new CliError(`The backup in ${place.label} cannot be read: ${issue?.path.join('.')} ${issue?.message}`)
}
