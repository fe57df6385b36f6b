import { createHash, randomBytes } from 'node:crypto'
import { executeStatement, inAct, prisma, runIn, runRead, type Transaction } from '../db'
import { env } from '../env'
import { AppError } from '../errors'
import { deletionTask, type RetentionTask } from '../kit/retention-task'
import { statement } from '../kit/statement'

/** What a link is for, and the page that it leads to. */
const PAGES = { password: '/reset', email: '/confirm-email' } as const
export type LinkKind = keyof typeof PAGES

/** How long a link works. */
const LINK_MS = 3_600_000
const TOKEN_BYTES = 32

const hashOf = (token: string): Uint8Array<ArrayBuffer> => new Uint8Array(createHash('sha256').update(token).digest())

/**
 * Makes a link that works once, within an hour. Only the hash of its token is stored: what is
 * returned is the only copy.
 */
export async function createLink(
  ownerId: number,
  kind: LinkKind,
  { email = null, madeBy = null }: { email?: string | null; madeBy?: string | null } = {},
): Promise<{ url: string; expiresAt: Date }> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const expiresAt = new Date(Date.now() + LINK_MS)
  const data = { hash: hashOf(token), ownerId, kind, email, madeBy, expiresAt }
  await inAct((tx) => tx.accountLink.create({ data }))
  return { url: `${env().PUBLIC_URL}${PAGES[kind]}?token=${token}`, expiresAt }
}

/** Whose link this is, what it confirms, and who made it; null for one that does not work. */
export async function findLink(
  kind: LinkKind,
  token: string,
): Promise<{ ownerId: number; email: string | null; madeBy: string | null; createdAt: Date } | null> {
  return prisma().accountLink.findFirst({
    where: { hash: hashOf(token), kind, expiresAt: { gt: new Date() } },
    select: { ownerId: true, email: true, madeBy: true, createdAt: true },
  })
}

// All links of the owner, in one statement: of two that are used at once, the second finds none.
const TAKE = statement({
  name: 'account_link_take',
  sql: `DELETE FROM account_link WHERE owner_id =
      (SELECT l.owner_id FROM account_link l WHERE l.hash = $1 AND l.kind = $2 AND l.expires_at > clock_timestamp())
    RETURNING owner_id, email, hash = $1 AS is_this`,
  params: ['bytea', 'text'],
  columns: { owner_id: 'int', email: 'text?', is_this: 'boolean' },
})

/**
 * Uses a link up, and with it every other link of its owner. Throws `conflict` for one that was
 * used, has expired or never was.
 */
export async function takeLink(
  tx: Transaction,
  kind: LinkKind,
  token: string,
): Promise<{ ownerId: number; email: string | null }> {
  const rows = await runIn(tx, TAKE, [hashOf(token), kind])
  const link = rows.find(({ is_this }) => is_this)
  if (!link) throw deadLink()
  return { ownerId: link.owner_id, email: link.email }
}

/** The refusal of a link that does not work, the same whatever the reason. */
export const deadLink = (): AppError =>
  new AppError('conflict', 'This link was used, has expired or is not complete. Ask for a new one.')

const STEP = 500
const EXPIRED = 'SELECT hash FROM account_link WHERE expires_at < now()'
const COUNT = statement({
  name: 'expired_account_links_count',
  sql: `SELECT count(*)::int AS n FROM (${EXPIRED}) o`,
  params: [],
  columns: { n: 'int' },
})
const DELETE = statement({
  name: 'expired_account_links_delete',
  sql: `DELETE FROM account_link WHERE hash IN (${EXPIRED} LIMIT ${STEP} FOR UPDATE SKIP LOCKED)`,
  params: [],
})

/** Links that were not used in time. */
export const expiredAccountLinks = (): RetentionTask =>
  deletionTask('links of accounts', {
    count: () => runRead(COUNT, []),
    remove: () => executeStatement(DELETE, []),
    perStep: STEP,
  })
