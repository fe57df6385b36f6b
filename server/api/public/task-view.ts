import { z } from 'zod'
import { findTaskDelivery } from '../../agent/webhooks/log'
import { TaskDelivery } from '../../agent/webhooks/shape'
import { AppError, asAppError, ERROR_CODES, type ErrorCode } from '../../errors'
import { isRecord } from '../../kit/record'
import type { CallTask } from '../../tools/tasks'
import { errorBody } from '../error-body'

/** A call of a tool that was begun and is not waited for. */
export const StartedTask = z.object({
  taskId: z.string().describe("Also the id of the call's receipt"),
  tool: z.string().nullable().describe('null: it was called over MCP'),
  status: z.literal('working'),
  createdAt: z.iso.datetime(),
  poll: z.string().describe('The path to GET'),
})
export type StartedTask = z.infer<typeof StartedTask>

export const TaskStatus = z
  .enum(['working', 'completed', 'failed', 'cancelled'])
  .describe(
    'failed: also where the process that ran it ended. cancelled: before the provider had the request, for free',
  )

/** A task and what became of it, kept for 24 hours. */
export const TaskView = StartedTask.extend({
  status: TaskStatus,
  updatedAt: z.iso.datetime(),
  httpStatus: z.int().nullable().describe('What POST /query would have answered; null while it works'),
  result: z.looseObject({}).nullable().describe("The tool's own result with the billing block, once it is completed"),
  error: z.looseObject({}).nullable().describe('The error body, with `service` if and only if it was charged'),
  delivery: TaskDelivery.nullable().describe('Of its callbackUrl, from a moment after its end'),
})
export type TaskView = z.infer<typeof TaskView>

const taskPath = (taskId: string): string => `/api/v1/tasks/${taskId}`

/** What answers a call that became a task. */
export const startedTask = ({ id, tool, createdAt }: Pick<CallTask, 'id' | 'tool' | 'createdAt'>): StartedTask => ({
  taskId: id,
  tool,
  status: 'working',
  createdAt: createdAt.toISOString(),
  poll: taskPath(id),
})

const LOST = 'The process that ran this call ended. Nothing was charged that is not in the receipt of this id.'

type Ended = Pick<TaskView, 'status' | 'httpStatus' | 'result' | 'error'>

const failed = (error: object, httpStatus: number): Ended => ({
  status: 'failed',
  httpStatus,
  result: null,
  error: { ...error },
})

const statusOf = (code: unknown): number => ERROR_CODES[code as ErrorCode]?.status ?? 502

/** What is kept of a call that was not stored with a charge: as MCP keeps it. */
function endOfKept(kept: Record<string, unknown>): Ended {
  const { structuredContent, isError, content } = kept
  if (!isError && isRecord(structuredContent)) {
    return { status: 'completed', httpStatus: 200, result: structuredContent, error: null }
  }
  const [first] = Array.isArray(content) ? content : []
  const body: unknown = isRecord(first) && typeof first.text === 'string' ? JSON.parse(first.text) : {}
  const error = isRecord(body) ? body : {}
  return failed(error, statusOf(error.code))
}

function endOf({ status, stored, result }: CallTask): Ended {
  if (status === 'working' || status === 'cancelled') return { status, httpStatus: null, result: null, error: null }
  if (stored) {
    const { status: httpStatus, body, charged } = stored.answer
    const service = { credits_charged: Number(charged) }
    if (httpStatus < 400) return { status: 'completed', httpStatus: 200, result: { ...body, service }, error: null }
    return failed(errorBody(asAppError(body).charged(Number(charged))), httpStatus)
  }
  if (result) return endOfKept(result)
  const lost = new AppError('unavailable', LOST)
  return failed(errorBody(lost), lost.status)
}

/** A task as its owner polls it. */
export async function viewTask(ownerId: number, task: CallTask): Promise<TaskView> {
  const delivery = task.callbackUrl === null ? null : await findTaskDelivery(ownerId, task.id)
  return { ...startedTask(task), ...endOf(task), updatedAt: task.updatedAt.toISOString(), delivery }
}
