import { createHash, randomBytes } from 'node:crypto'
import { executeStatement, prisma, runRead } from '../../db'
import { deletionTask, type RetentionTask } from '../../kit/retention-task'
import { statement } from '../../kit/statement'

type ChallengePurpose = 'add' | 'sign-in' | 'second-factor' | 'step-up'

/** Who is asked, and what for; `ownerId` null: whoever has a passkey. */
export type ChallengeFor = { purpose: ChallengePurpose; ownerId: number | null }

const LIFETIME_MS = 5 * 60_000
const BYTES = 32

const hashOf = (challenge: string) => new Uint8Array(createHash('sha256').update(challenge).digest())

/** Makes what an authenticator is to sign, once, within five minutes. */
export async function createChallenge({ purpose, ownerId }: ChallengeFor): Promise<Uint8Array<ArrayBuffer>> {
  const challenge = randomBytes(BYTES)
  const expiresAt = new Date(Date.now() + LIFETIME_MS)
  const hash = hashOf(challenge.toString('base64url'))
  await prisma().passkeyChallenge.create({ data: { hash, purpose, ownerId, expiresAt } })
  return new Uint8Array(challenge)
}

/** Uses a challenge up. False for one that was used, has expired or was made for something else. */
export async function takeChallenge(challenge: string, { purpose, ownerId }: ChallengeFor): Promise<boolean> {
  const { count } = await prisma().passkeyChallenge.deleteMany({
    where: { hash: hashOf(challenge), purpose, ownerId, expiresAt: { gt: new Date() } },
  })
  return count === 1
}

const STEP = 500
const EXPIRED = 'SELECT hash FROM passkey_challenge WHERE expires_at < now()'
const COUNT = statement({
  name: 'expired_passkey_challenges_count',
  sql: `SELECT count(*)::int AS n FROM (${EXPIRED}) o`,
  params: [],
  columns: { n: 'int' },
})
const DELETE = statement({
  name: 'expired_passkey_challenges_delete',
  sql: `DELETE FROM passkey_challenge WHERE hash IN (${EXPIRED} LIMIT ${STEP} FOR UPDATE SKIP LOCKED)`,
  params: [],
})

/** Challenges that were not answered in time. */
export const expiredChallenges = (): RetentionTask =>
  deletionTask('challenges of passkeys', {
    count: () => runRead(COUNT, []),
    remove: () => executeStatement(DELETE, []),
    perStep: STEP,
  })
