import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { z } from 'zod'
import { CliError } from '../kit/project'
import type { BackupPlace } from './place'

/** Without these a restored database cannot be used in full: what each is for. */
const NEEDED = {
  ENCRYPTION_KEY: 'opens the addresses of connected databases',
  AUTH_SECRET: 'signs sessions, and makes the signing secrets of webhooks',
} as const

const NAMES = Object.keys(NEEDED) as (keyof typeof NEEDED)[]

/** What says which secret it was, and not what the secret is; null: it was not set. */
export const SecretFingerprints = z.object({
  ENCRYPTION_KEY: z.string().nullable(),
  AUTH_SECRET: z.string().nullable(),
})
export type SecretFingerprints = z.infer<typeof SecretFingerprints>

type Secrets = { [name in keyof typeof NEEDED]?: string | undefined }

/** 64 bits of a hash: the secrets have 128 random bits or more, so nobody finds one by trying. */
const fingerprint = (secret: string | undefined): string | null =>
  secret ? createHash('sha256').update(`tollgate backup ${secret}`).digest('hex').slice(0, 16) : null

export const fingerprintsOf = (secrets: Secrets): SecretFingerprints => ({
  ENCRYPTION_KEY: fingerprint(secrets.ENCRYPTION_KEY),
  AUTH_SECRET: fingerprint(secrets.AUTH_SECRET),
})

const FILE = 'secrets.env'

/** Writes the secrets themselves, for an operator who keeps the backup as safe as those. */
export async function writeSecrets(place: BackupPlace, secrets: Secrets): Promise<void> {
  const lines = NAMES.filter((name) => secrets[name]).map((name) => `${name}=${secrets[name]}\n`)
  await place.write(FILE, Readable.from([Buffer.from(lines.join(''))]))
}

/** Throws a CliError that names the secrets of a backup that this installation does not have. */
export function requireSecrets(made: SecretFingerprints, secrets: Secrets): void {
  const here = fingerprintsOf(secrets)
  const other = NAMES.filter((name) => made[name] !== null && made[name] !== here[name])
  if (other.length === 0) return
  const lines = other.map((name) => `${name} is not the one of the backup, which ${NEEDED[name]}.`)
  throw new CliError(
    [...lines, `Set ${other.join(' and ')} in .env as it was (${FILE} in a backup made --with-secrets),`]
      .concat('or go on without with --other-secrets.')
      .join('\n'),
  )
}
