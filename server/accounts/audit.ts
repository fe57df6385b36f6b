import type { Prisma, AuditEvent as Row } from '../../prisma/generated/client'
import { prisma, readPrisma } from '../db'
import { readCursor } from '../errors'
import { paginate } from '../kit/cursor'
import { log } from '../kit/log'
import { sanitizeJsonForPostgres } from '../kit/sanitize-for-postgres'
import { clientAddress } from './rate-limit'
import {
  type AuditAction,
  AuditEvent,
  type AuditList,
  type AuditPage,
  type OperatorLog,
  type OperatorLogPage,
} from './shape'

/** Where a request came from. */
export type RequestOrigin = { address: string; userAgent: string | null }

const MAX_USER_AGENT = 400

/** The address and the browser that a request names. */
export const originOf = (headers: Headers): RequestOrigin => ({
  address: clientAddress(headers),
  userAgent: headers.get('user-agent')?.slice(0, MAX_USER_AGENT) ?? null,
})

export type NewAuditEvent = {
  /** Whose account it concerns. */
  ownerId: number
  action: AuditAction
  /** Default: an operator's command. */
  actor?: { kind: AuditEvent['actorKind']; email: string | null }
  /** What it was done to, by its name. */
  subject?: string
  /** What changed. Never a secret. */
  detail?: Record<string, unknown>
  origin?: RequestOrigin
}

const COMMAND = { kind: 'operator', email: null } as const

/**
 * Writes what was done into the audit log, after it was done. What the database does not take is
 * logged: the act itself is not undone.
 */
export async function recordAudit({ ownerId, action, actor = COMMAND, subject, detail, origin }: NewAuditEvent) {
  const data = {
    ownerId,
    action,
    actorKind: actor.kind,
    actor: actor.email,
    subject,
    detail: detail as Prisma.InputJsonObject | undefined,
    ...origin,
  }
  try {
    await prisma().auditEvent.create({ data: JSON.parse(sanitizeJsonForPostgres(data)) as typeof data })
  } catch (error) {
    log.error({ audit: data, err: (error as Error).message }, 'an audit event was not written')
  }
}

const viewAuditEvent = ({ id, at, ownerId: _owner, ...event }: Row): AuditEvent =>
  AuditEvent.parse({ ...event, id: String(id), at: at.toISOString() })

const isEventId = (id: string): boolean => /^\d{1,18}$/.test(id)

/** The audit log of an owner, newest first. */
export async function listAuditEvents(ownerId: number, { action, limit, cursor }: AuditPage): Promise<AuditList> {
  const after = readCursor(cursor, isEventId)
  const rows = await prisma().auditEvent.findMany({
    where: { ownerId, ...(action && { action }), ...(after && { id: { lt: BigInt(after.id) } }) },
    orderBy: { id: 'desc' },
    take: limit + 1,
  })
  const page = paginate(rows, limit, ({ at, id }) => ({ at, id: String(id) }))
  return { rows: page.rows.map(viewAuditEvent), nextCursor: page.nextCursor }
}

/** What operators did, to all owners or to one, newest first. */
export async function listOperatorEvents(page: OperatorLogPage): Promise<OperatorLog> {
  const { action, actor, ownerId, limit, cursor } = page
  const after = readCursor(cursor, isEventId)
  const events = await readPrisma().auditEvent.findMany({
    where: { actorKind: 'operator', action, actor, ownerId, ...(after && { id: { lt: BigInt(after.id) } }) },
    orderBy: { id: 'desc' },
    take: limit + 1,
  })
  const { rows, nextCursor } = paginate(events, limit, ({ at, id }) => ({ at, id: String(id) }))
  const owners = await readPrisma().owner.findMany({
    where: { id: { in: [...new Set(rows.map((row) => row.ownerId))] } },
    select: { id: true, email: true },
  })
  const emails = new Map(owners.map(({ id, email }) => [id, email]))
  return {
    rows: rows.map((row) => ({
      ...viewAuditEvent(row),
      ownerId: row.ownerId,
      ownerEmail: emails.get(row.ownerId) ?? null,
    })),
    nextCursor,
  }
}
