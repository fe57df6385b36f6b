import { createHash } from 'node:crypto'
import type { Idempotency } from '../credits/hold-request'
import { holderId } from '../credits/holder'
import { findStoredResponse } from '../credits/reserve'
import { executeStatement, prisma } from '../db'
import { AppError } from '../errors'
import { log } from '../kit/log'
import { statement } from '../kit/statement'

/** How long a task and its result are kept, milliseconds. */
export const TASK_TTL_MS = 24 * 3_600_000

/** How often and how long the result of an ended call is written again, milliseconds. */
const RETRY_MS = 1_000
const RETRY_FOR_MS = 120_000

/** A tool call that its client polls. */
export type CallTask = {
  id: string
  /** Null for a call over MCP. */
  tool: string | null
  callbackUrl: string | null
  status: 'working' | 'completed' | 'failed' | 'cancelled'
  createdAt: Date
  updatedAt: Date
  /** What the call answered, once it is completed, where that was not stored with its charge. */
  result: Record<string, unknown> | null
  /** What was stored with its charge, and of which tool. */
  stored: Awaited<ReturnType<typeof findStoredResponse>>
}

/**
 * What a task's call stores its answer by, so that the statement that charges it keeps the result,
 * too. No caller's Idempotency-Key has a space.
 */
export const taskIdempotency = (id: string): Idempotency => ({
  token: `task ${id}`,
  bodyHash: createHash('sha256').update(id).digest(),
})

/** Creates the task of a call that is about to begin, and deletes some that are too old. */
export async function createTask(
  ownerId: number,
  id: string,
  given: { tool: string | null; callbackUrl: string | null } = { tool: null, callbackUrl: null },
): Promise<CallTask> {
  const { createdAt } = await prisma().mcpTask.create({
    data: { id, ownerId, holderId: holderId(), ...given, awaitsCallback: given.callbackUrl !== null },
  })
  await prisma().mcpTask.deleteMany({ where: { createdAt: { lt: new Date(Date.now() - TASK_TTL_MS) } }, limit: 100 })
  return { ...given, id, status: 'working', createdAt, updatedAt: createdAt, result: null, stored: null }
}

/** Takes back the task of a call that was refused before it began: nobody knows its id. */
export const dropTask = (ownerId: number, id: string): Promise<unknown> =>
  prisma().mcpTask.deleteMany({ where: { id, ownerId } })

const FINISH = statement({
  name: 'mcp_task_finish',
  sql: `UPDATE mcp_task t SET ended_at = clock_timestamp(), is_cancelled = $2::jsonb IS NULL, result = CASE WHEN NOT EXISTS (
      SELECT 1 FROM idempotency i WHERE i.hold_id = t.id AND i.status IS NOT NULL) THEN $2::jsonb END
    WHERE t.id = $1 AND NOT t.is_lost`,
  params: ['uuid', 'jsonb'],
})

/**
 * Says that a call has ended, and keeps what it answered where that was not stored with its charge;
 * null: it was cancelled before the provider had the request. Repeated while the database is
 * unavailable: what was charged is not lost with it.
 */
export async function finishTask(id: string, result: Record<string, unknown> | null): Promise<void> {
  const deadline = Date.now() + RETRY_FOR_MS
  for (;;) {
    try {
      await executeStatement(FINISH, [id, result && JSON.stringify(result)])
      return
    } catch (error) {
      if (Date.now() > deadline) {
        log.error({ task: id, err: String(error) }, 'the result of a task could not be kept')
        return
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }
}

/** A task of an owner. Throws `not_found`. */
export async function getTask(ownerId: number, id: string): Promise<CallTask> {
  const task = await findTask(ownerId, id)
  if (!task) throw new AppError('not_found', 'There is no such task. They are kept for 24 hours.')
  return task
}

/**
 * A task of an owner, or null. One whose process died is failed: its hold was voided, or it is
 * older than any call.
 */
export async function findTask(ownerId: number, id: string): Promise<CallTask | null> {
  const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)
  const oldest = new Date(Date.now() - TASK_TTL_MS)
  const row = isId ? await prisma().mcpTask.findFirst({ where: { id, ownerId, createdAt: { gt: oldest } } }) : null
  if (!row) return null
  const { createdAt, endedAt, isCancelled, isLost, tool, callbackUrl } = row
  const task = { id, tool, callbackUrl, createdAt, updatedAt: endedAt ?? createdAt, result: null, stored: null }
  if (isCancelled) return { ...task, status: 'cancelled' }
  if (isLost) return { ...task, status: 'failed' }
  const stored = await findStoredResponse(id)
  if (stored) return { ...task, status: 'completed', stored }
  if (row.result) return { ...task, status: 'completed', result: row.result as Record<string, unknown> }
  return { ...task, status: endedAt || (await noteLost(id)) ? 'failed' : 'working' }
}

/**
 * A call whose hold was voided with its process; one whose process has had no lease for as long as
 * leases last, and that has no hold; and one that is older than any call. A result that cost
 * nothing may be on its way for a moment. The last part is what sweeps go by.
 */
export const IS_LOST = `t.ended_at IS NULL AND NOT t.is_lost AND (
      EXISTS (SELECT 1 FROM receipt r WHERE r.id = t.id AND r.owner_id = t.owner_id
        AND (r.status = 'expired' OR (r.status = 'void' AND r.at < now() - interval '30 seconds')))
      OR NOT EXISTS (SELECT 1 FROM receipt r WHERE r.id = t.id AND r.owner_id = t.owner_id) AND NOT EXISTS (SELECT 1 FROM hold h WHERE h.id = t.id AND h.owner_id = t.owner_id) AND (
        t.created_at < now() - interval '10 minutes'
        OR t.created_at < now() - interval '45 seconds'
          AND NOT EXISTS (SELECT 1 FROM holder p WHERE p.id = t.holder_id AND p.lease_until >= now())
          AND EXISTS (SELECT 1 FROM credits_clock c WHERE c.up_since < now() - interval '25 seconds')))`

const NOTE_LOST = statement({
  name: 'mcp_task_lost',
  sql: `UPDATE mcp_task t SET is_lost = true WHERE t.id = $1 AND ${IS_LOST}`,
  params: ['uuid'],
})

const NOTE_LOST_CALLBACKS = statement({
  name: 'mcp_task_lost_callbacks',
  sql: `UPDATE mcp_task t SET is_lost = true WHERE t.awaits_callback AND ${IS_LOST}`,
  params: [],
})

/**
 * Notes that a task is lost where it is, before its client reads that: nothing is charged for it
 * any more. Returns whether it is.
 */
const noteLost = async (id: string): Promise<boolean> => (await executeStatement(NOTE_LOST, [id])) > 0

/** The same of every task whose callback URL still waits for its event. */
export const noteLostCallbacks = (): Promise<number> => executeStatement(NOTE_LOST_CALLBACKS, [])
