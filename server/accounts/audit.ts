import type { Prisma } from '../../prisma/generated/client'
import { prisma, runRead, type Transaction, withLine } from '../db'
import { readCursor } from '../errors'
import { paginate } from '../kit/cursor'
import { log } from '../kit/log'
import type { ReadOptions } from '../kit/pg-read'
import { sanitizeJsonForPostgres } from '../kit/sanitize-for-postgres'
import { type RowOf, statement } from '../kit/statement'
import { clientAddress } from './rate-limit'
import { type AuditAction, AuditEvent, type AuditList, type AuditPage } from './shape'

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

function auditRow({ ownerId, action, actor = COMMAND, subject, detail, origin }: NewAuditEvent) {
  const data = {
    ownerId,
    action,
    actorKind: actor.kind,
    actor: actor.email,
    subject,
    detail: detail as Prisma.InputJsonObject | undefined,
    ...origin,
  }
  return JSON.parse(sanitizeJsonForPostgres(data)) as typeof data
}

/**
 * Writes what is done into the audit log, in the transaction that does it: both, or neither.
 * Returns the line's id.
 */
export async function recordAudit(tx: Transaction, event: NewAuditEvent): Promise<bigint> {
  return (await tx.auditEvent.create({ data: auditRow(event), select: { id: true } })).id
}

/**
 * Runs an act whose line is known before it: it is written in the transaction of the `inAct` that
 * does it.
 */
export const asAudited = <T>(event: NewAuditEvent, run: () => Promise<T>): Promise<T> =>
  withLine(async (tx) => void (await recordAudit(tx, event)), run)

/**
 * Writes an attempt that was refused into the audit log. What the database does not take is logged:
 * the refusal holds all the same.
 */
export async function recordRefusal(
  event: NewAuditEvent & { action: 'sign_in_failed' | 'second_factor_failed' },
): Promise<void> {
  const data = auditRow(event)
  try {
    await prisma().auditEvent.create({ data })
  } catch (error) {
    log.error({ audit: data, err: (error as Error).message }, 'an audit event was not written')
  }
}

const EVENTS = statement({
  name: 'audit_events',
  sql: `SELECT e.id, e.at, e.actor_kind, e.actor, e.action, e.subject, e.detail, e.address, e.user_agent
    FROM audit_event e JOIN owner o ON o.id = e.owner_id
    WHERE e.owner_id = $1 AND ($2::bigint IS NULL OR e.id < $2) AND ($3::text IS NULL OR e.action = $3)
      AND ($4::date IS NULL OR e.at >= $4::timestamp AT TIME ZONE o.time_zone)
      AND ($5::date IS NULL OR e.at < ($5 + 1)::timestamp AT TIME ZONE o.time_zone)
    ORDER BY e.id DESC LIMIT $6::int`,
  params: ['int', 'bigint', 'text', 'date', 'date', 'int'],
  columns: {
    id: 'bigint',
    at: 'timestamptz',
    actor_kind: 'text',
    actor: 'text?',
    action: 'text',
    subject: 'text?',
    detail: 'jsonb?',
    address: 'text?',
    user_agent: 'text?',
  },
})

const viewAuditEvent = ({ at, actor_kind, user_agent, ...event }: RowOf<typeof EVENTS>): AuditEvent =>
  AuditEvent.parse({ ...event, at: at.toISOString(), actorKind: actor_kind, userAgent: user_agent })

/** The audit log of an owner, newest first; days are those of the owner's time zone. */
export async function listAuditEvents(
  ownerId: number,
  { action, from, to, limit, cursor }: AuditPage,
  options?: ReadOptions,
): Promise<AuditList> {
  const after = readCursor(cursor, (id) => /^\d{1,18}$/.test(id))
  const values = [ownerId, after?.id ?? null, action ?? null, from ?? null, to ?? null, limit + 1] as const
  const page = paginate(await runRead(EVENTS, values, options), limit, ({ at, id }) => ({ at, id }))
  return { rows: page.rows.map(viewAuditEvent), nextCursor: page.nextCursor }
}
