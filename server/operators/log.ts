import { AuditEvent } from '../accounts/shape'
import { runRead } from '../db'
import { readCursor } from '../errors'
import { paginate } from '../kit/cursor'
import type { ReadOptions } from '../kit/pg-read'
import { type RowOf, statement } from '../kit/statement'
import type { OperatorAct, OperatorLog, OperatorLogPage } from './views'

const ACTS = statement({
  name: 'operators_acts',
  sql: `SELECT e.id, e.at, e.owner_id, o.email AS owner_email, e.actor_kind, e.actor, e.action, e.subject, e.detail, e.address, e.user_agent
    FROM audit_event e LEFT JOIN owner o ON o.id = e.owner_id
    WHERE e.actor_kind = 'operator' AND ($1::bigint IS NULL OR e.id < $1) AND ($2::text IS NULL OR e.action = $2)
      AND ($3::text IS NULL OR e.actor = $3) AND ($4::int IS NULL OR e.owner_id = $4)
    ORDER BY e.id DESC LIMIT $5::int`,
  params: ['bigint', 'text', 'text', 'int', 'int'],
  columns: {
    id: 'bigint',
    at: 'timestamptz',
    owner_id: 'int',
    owner_email: 'text?',
    actor_kind: 'text',
    actor: 'text?',
    action: 'text',
    subject: 'text?',
    detail: 'jsonb?',
    address: 'text?',
    user_agent: 'text?',
  },
})

const viewAct = ({ at, owner_id, owner_email, actor_kind, user_agent, ...event }: RowOf<typeof ACTS>): OperatorAct => ({
  ...AuditEvent.parse({ ...event, at: at.toISOString(), actorKind: actor_kind, userAgent: user_agent }),
  ownerId: owner_id,
  ownerEmail: owner_email,
})

/** What operators did, to all owners or to one, newest first. */
export async function listOperatorActs(
  { action, actor, ownerId, limit, cursor }: OperatorLogPage,
  options?: ReadOptions,
): Promise<OperatorLog> {
  const after = readCursor(cursor, (id) => /^\d{1,18}$/.test(id))
  const values = [after?.id ?? null, action ?? null, actor ?? null, ownerId ?? null, limit + 1] as const
  const page = paginate(await runRead(ACTS, values, options), limit, ({ at, id }) => ({ at, id }))
  return { rows: page.rows.map(viewAct), nextCursor: page.nextCursor }
}
