import { executeStatement, runStatement } from '../db'
import { readCursor } from '../errors'
import { paginate } from '../kit/cursor'
import { isUuid } from '../kit/id'
import { statement } from '../kit/statement'
import { type CallTask, IS_LOST, TASK_TTL_MS } from './tasks'

/** A task in a list: what it cost instead of what it answered. */
export type ListedTask = Pick<CallTask, 'id' | 'createdAt' | 'updatedAt' | 'status' | 'tool'> & { charged: number }

export type TaskFilter = {
  /** Tools whose tasks are wanted. */
  tools: 'all' | ReadonlySet<string>
  status?: CallTask['status']
  limit: number
  cursor?: string
}

const NOTE_LOST = statement({
  name: 'mcp_task_lost_of_owner',
  sql: `UPDATE mcp_task t SET is_lost = true WHERE t.owner_id = $1 AND t.tool IS NOT NULL AND ${IS_LOST}`,
  params: ['int'],
})

const LIST = statement({
  name: 'mcp_task_list',
  sql: `SELECT * FROM (
      SELECT t.id, t.tool, t.created_at, coalesce(t.ended_at, t.created_at) AS updated_at,
        coalesce(r.charged, 0) AS charged,
        CASE WHEN t.is_cancelled THEN 'cancelled' WHEN t.is_lost THEN 'failed'
          WHEN i.status IS NOT NULL THEN CASE WHEN i.status < 400 THEN 'completed' ELSE 'failed' END
          WHEN t.result IS NOT NULL THEN CASE WHEN (t.result->'isError')::boolean THEN 'failed' ELSE 'completed' END
          WHEN t.ended_at IS NOT NULL THEN 'failed' ELSE 'working' END AS status
      FROM mcp_task t LEFT JOIN receipt r ON r.id = t.id AND r.owner_id = t.owner_id LEFT JOIN idempotency i ON i.hold_id = t.id
      WHERE t.owner_id = $1 AND t.tool IS NOT NULL AND t.created_at > $2
        AND ($8 OR t.tool = ANY ($3)) AND ($5::timestamptz IS NULL OR (t.created_at, t.id) < ($5, $6::uuid))
    ) listed WHERE $4::text IS NULL OR status = $4 ORDER BY created_at DESC, id DESC LIMIT $7::int`,
  params: ['int', 'timestamptz', 'text[]', 'text', 'timestamptz', 'uuid', 'int', 'boolean'],
  columns: {
    id: 'uuid',
    tool: 'text?',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
    charged: 'bigint',
    status: ['working', 'completed', 'failed', 'cancelled'],
  },
})

/**
 * An owner's calls in the background that REST began and that are kept, newest first. Throws
 * `invalid_request` for an invalid cursor.
 */
export async function listTasks(
  ownerId: number,
  { tools, status, limit, cursor }: TaskFilter,
): Promise<{ rows: ListedTask[]; nextCursor: string | null }> {
  const after = readCursor(cursor, isUuid)
  await executeStatement(NOTE_LOST, [ownerId])
  const oldest = new Date(Date.now() - TASK_TTL_MS)
  const position = [after?.at ?? null, after?.id ?? null] as const
  const found = await runStatement(LIST, [
    ...([ownerId, oldest, [...(tools === 'all' ? [] : tools)], status ?? null] as const),
    ...position,
    ...([limit + 1, tools === 'all'] as const),
  ])
  const page = paginate(found, limit, ({ created_at: at, id }) => ({ at, id }))
  const rows = page.rows.map(({ created_at: createdAt, updated_at: updatedAt, charged, ...row }) => ({
    ...row,
    createdAt,
    updatedAt,
    charged: Number(charged),
  }))
  return { rows, nextCursor: page.nextCursor }
}
