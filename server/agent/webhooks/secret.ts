import { hkdfSync } from 'node:crypto'
import { inAct, runIn, runStatement } from '../../db'
import { env } from '../../env'
import { AppError } from '../../errors'
import { type RowOf, statement } from '../../kit/statement'
import type { SigningSecret } from './shape'

/** Longest time for which the previous secret goes on signing after a rotation, in hours. */
export const MAX_OVERLAP_HOURS = 168

const COLUMNS = {
  salt: 'uuid',
  previous: 'uuid?',
  previousUntil: 'timestamptz?',
  createdAt: 'timestamptz',
} as const
const RETURNED = `s.salt, CASE WHEN s.previous_until > now() THEN s.previous_salt END AS previous,
    s.previous_until AS "previousUntil", s.created_at AS "createdAt"`

const READ = statement({
  name: 'webhook_secret_read',
  sql: `SELECT ${RETURNED} FROM webhook_secret s WHERE s.owner_id = $1`,
  params: ['int'],
  columns: COLUMNS,
  isPrepared: true,
})

const MAKE = statement({
  name: 'webhook_secret_make',
  sql: `INSERT INTO webhook_secret (owner_id, salt) VALUES ($1, gen_random_uuid()) ON CONFLICT DO NOTHING`,
  params: ['int'],
})

/** No row where the previous secret still signs: then it would stop at once. */
const ROTATE = statement({
  name: 'webhook_secret_rotate',
  sql: `UPDATE webhook_secret s SET salt = gen_random_uuid(), created_at = now(),
      previous_salt = CASE WHEN $2::int > 0 THEN s.salt END,
      previous_until = CASE WHEN $2::int > 0 THEN now() + make_interval(hours => $2::int) END
    WHERE s.owner_id = $1::int AND ($2::int = 0 OR s.previous_until IS NULL OR s.previous_until <= now())
    RETURNING ${RETURNED}`,
  params: ['int', 'int'],
  columns: COLUMNS,
})

/**
 * A signing secret as receivers hold it. It is derived, so the database alone does not have it;
 * the salt changes with every rotation.
 */
function secretOf(ownerId: number, salt: string): string {
  const bytes = hkdfSync('sha256', env().AUTH_SECRET, salt, `webhooks of owner ${ownerId}`, 32)
  return `whsec_${Buffer.from(bytes).toString('base64')}`
}

async function readRow(ownerId: number): Promise<RowOf<typeof READ>> {
  const [row] = await runStatement(READ, [ownerId])
  if (row) return row
  await runStatement(MAKE, [ownerId])
  const [made] = await runStatement(READ, [ownerId])
  if (!made) throw new AppError('not_found', 'There is no such owner.')
  return made
}

const viewSecret = (
  ownerId: number,
  { salt, previous, previousUntil, createdAt }: RowOf<typeof READ>,
): SigningSecret => ({
  secret: secretOf(ownerId, salt),
  createdAt: createdAt.toISOString(),
  previousUntil: previous === null ? null : (previousUntil?.toISOString() ?? null),
})

/** The secret that signs an owner's webhooks. Made at the first use. */
export const getSigningSecret = async (ownerId: number): Promise<SigningSecret> =>
  viewSecret(ownerId, await readRow(ownerId))

/** Every secret that signs now: the newest first, then the one before during an overlap. */
export async function signingSecrets(ownerId: number): Promise<string[]> {
  const { salt, previous } = await readRow(ownerId)
  return [salt, previous].filter((each) => each !== null).map((each) => secretOf(ownerId, each))
}

/**
 * Replaces an owner's signing secret. The one before goes on signing beside it for `overlapHours`.
 * Throws `conflict` while an earlier one does, unless `overlapHours` is 0, which ends both at once.
 */
export async function rotateSigningSecret(ownerId: number, overlapHours: number): Promise<SigningSecret> {
  const { previousUntil } = await readRow(ownerId)
  return inAct(async (tx) => {
    const [row] = await runIn(tx, ROTATE, [ownerId, overlapHours])
    if (row) return viewSecret(ownerId, row)
    const until = previousUntil?.toISOString() ?? 'later'
    throw new AppError(
      'conflict',
      `The secret before this one still signs, until ${until}. Rotate after that, or without an overlap.`,
    )
  })
}
