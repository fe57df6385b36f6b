import { Prisma } from '../../prisma/generated/client'
import { prisma } from '../db'
import { AppError } from '../errors'
import { log } from '../kit/log'

/** How long a task and its result are kept, milliseconds. */
const TASK_TTL_MS = 24 * 3_600_000

/** No call lasts longer: a task without a result by then belonged to a process that died. */
const LONGEST_CALL_MS = 10 * 60_000
/** After this long a call without a charge has its result, milliseconds. */
const SETTLED_FOR_MS = 30_000

/** How often and how long the result of an ended call is written again, milliseconds. */
const RETRY_MS = 1_000
const RETRY_FOR_MS = 120_000

/** A tool call that its client polls. */
export type CallTask = {
  id: string
  status: 'working' | 'completed' | 'failed' | 'cancelled'
  createdAt: Date
  updatedAt: Date
  /** What the call answered, once it is completed. */
  result: Record<string, unknown> | null
}

/** Creates the task of a call that is about to begin, and deletes some that are too old. */
export async function createTask(ownerId: number, id: string): Promise<CallTask> {
  const { createdAt } = await prisma().mcpTask.create({ data: { id, ownerId } })
  await prisma().mcpTask.deleteMany({ where: { createdAt: { lt: new Date(Date.now() - TASK_TTL_MS) } }, limit: 100 })
  return { id, status: 'working', createdAt, updatedAt: createdAt, result: null }
}

/**
 * Keeps what a call answered; null: it was cancelled before the provider had the request. Repeated
 * while the database is unavailable.
 */
export async function finishTask(id: string, result: Record<string, unknown> | null): Promise<void> {
  const deadline = Date.now() + RETRY_FOR_MS
  const data = {
    endedAt: new Date(),
    isCancelled: result === null,
    result: result === null ? Prisma.DbNull : (result as Prisma.InputJsonObject),
  }
  for (;;) {
    try {
      await prisma().mcpTask.updateMany({ where: { id }, data })
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
  const { createdAt, endedAt, isCancelled } = row
  const task = { id, createdAt, updatedAt: endedAt ?? createdAt, result: null }
  if (isCancelled) return { ...task, status: 'cancelled' }
  if (endedAt) return { ...task, status: 'completed', result: row.result as Record<string, unknown> }
  return { ...task, status: (await isLost(id, createdAt)) ? 'failed' : 'working' }
}

async function isLost(id: string, createdAt: Date): Promise<boolean> {
  if (Date.now() - createdAt.getTime() > LONGEST_CALL_MS) return true
  // The result of a call that was settled as void may be on its way for a moment.
  const at = { lt: new Date(Date.now() - SETTLED_FOR_MS) }
  const ended = { id, OR: [{ status: 'expired' }, { status: 'void', at }] }
  return (await prisma().receipt.findFirst({ where: ended })) !== null
}
