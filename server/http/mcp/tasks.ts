import {
  CLIENT_CAPABILITIES_META_KEY,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import { toAppError } from '../../api/trpc'
import { isRecord } from '../../kit/record'
import type { ProcedureCaller } from '../procedure'

/** The extension by which clients say that they can poll. Revision 2026-07-28. */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks'

/** How long a client should wait before it asks again, milliseconds. */
const POLL_MS = 5_000
/** As long as the results are kept. */
const TTL_MS = 24 * 3_600_000

type CallTask = Omit<Awaited<ReturnType<ProcedureCaller['public']['mcp']['getTask']>>, 'outcome'>

/** What the tasks extension needs of one request. */
export type TaskOperations = {
  /** Begins a call as a task; null where it is to be answered at once. */
  start: (name: string) => Promise<CallTask | null>
  /** A task of the key's owner. Throws `not_found`. */
  get: (taskId: string) => Promise<CallTask>
  /** Stops a call if the provider does not have the request yet. */
  cancel: (taskId: string) => Promise<void>
}

/** True for a client that declares the extension with this very request. */
export function declaresTasks({ mcpReq }: ServerContext): boolean {
  const envelope: unknown = mcpReq.envelope
  const capabilities = isRecord(envelope) ? envelope[CLIENT_CAPABILITIES_META_KEY] : undefined
  const extensions = isRecord(capabilities) ? capabilities.extensions : undefined
  return isRecord(extensions) && isRecord(extensions[TASKS_EXTENSION])
}

/** A task as the extension writes it, without its outcome. */
export const taskOnWire = ({ id, status, createdAt, updatedAt }: CallTask) => ({
  taskId: id,
  status,
  createdAt: createdAt.toISOString(),
  lastUpdatedAt: updatedAt.toISOString(),
  ttlMs: TTL_MS,
  pollIntervalMs: POLL_MS,
})

const LOST = 'The process that ran this call ended. Nothing was charged that is not in the receipt of this id.'

function outcomeOf({ status, result }: CallTask) {
  if (status === 'completed') return { result: result ?? {} }
  return status === 'failed' ? { statusMessage: LOST, error: { code: INTERNAL_ERROR, message: LOST } } : {}
}

const TaskParams = z.object({ taskId: z.string() })

/** Adds the methods of the extension to a server. */
export function serveTasks(server: Server, tasks: TaskOperations): void {
  const find = async (taskId: string, context: ServerContext): Promise<CallTask> => {
    if (!declaresTasks(context)) {
      throw new MissingRequiredClientCapabilityError({
        requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } },
      })
    }
    return tasks.get(taskId).catch((thrown) => {
      const { code, message } = toAppError(thrown)
      throw new ProtocolError(code === 'not_found' ? INVALID_PARAMS : INTERNAL_ERROR, message)
    })
  }
  server.setRequestHandler('tasks/get', { params: TaskParams }, async ({ taskId }, context) => {
    const task = await find(taskId, context)
    return { ...taskOnWire(task), ...outcomeOf(task) }
  })
  server.setRequestHandler('tasks/cancel', { params: TaskParams }, async ({ taskId }, context) => {
    await find(taskId, context)
    await tasks.cancel(taskId)
    return {}
  })
  // No call here asks anything of its client.
  server.setRequestHandler('tasks/update', { params: TaskParams }, async ({ taskId }, context) => {
    await find(taskId, context)
    return {}
  })
}
