import { parseCallbackUrl, refusePrivateCallback } from '../../agent/webhooks/callback-url'
import type { Idempotency } from '../../credits/hold-request'
import { findIdempotentCall } from '../../credits/idempotent-call'
import type { Caller } from '../../keys/authenticate'
import { runInBackground } from '../../kit/background'
import { resolveFor } from '../../kit/resolve'
import { wasCancelled, watchCancels } from '../../tools/cancel-task'
import { createTask, dropTask, findTask, finishTask, taskIdempotency } from '../../tools/tasks'
import { held, runAndSettle } from '../billed'
import type { Context } from '../context'
import { wholeErrorBody } from '../error-body'
import { toAppError } from '../trpc'
import { type StartedTask, startedTask } from './task-view'
import { checkToolCall, type ToolRequest } from './tool-call'

type TaskTerms = {
  by: Caller
  idempotency: Idempotency | undefined
  /** What gets a signed POST when the call has ended, as `readCallbackUrl` returned it. */
  callbackUrl: string | null
  /** Waits for the task's turn once its hold is taken; what it returns ends the turn. */
  turn?: (stop: AbortSignal) => Promise<() => void>
}

/**
 * The callback URL of a call as it is kept; null where it has none. Throws `invalid_request`, also
 * for one that is not public.
 */
export async function readCallbackUrl(ownerId: number, text: string | undefined): Promise<string | null> {
  if (text === undefined) return null
  const callbackUrl = parseCallbackUrl(text)
  await refusePrivateCallback(callbackUrl, resolveFor(String(ownerId)))
  return callbackUrl
}

/** As MCP keeps what was not stored with a charge. */
const taskResult = (body: object, isError: boolean) => ({
  content: [{ type: 'text', text: JSON.stringify(body) }],
  ...(isError ? { isError } : { structuredContent: body }),
})

type TaskInput = ToolRequest & Pick<TaskTerms, 'idempotency'> & { stop: AbortSignal }

/** Its caller does not wait: only a cancel stops it. Its answer is stored whatever its size. */
const holdTask = held(({ ctx, input, by }: { ctx: Context; input: TaskInput; by: Caller }) => {
  const idempotency = { ...(input.idempotency ?? taskIdempotency(ctx.requestId)), isWhole: true }
  return checkToolCall(ctx, input, { by, idempotency, signal: input.stop })
})

/**
 * Begins a call of a tool whose caller does not wait: everything that refuses a call does so now,
 * and once its credits are held it is a task. The task of an earlier call with the same
 * Idempotency-Key is that one; the stored answer of one that was waited for is answered as it was.
 */
export async function startToolTask(
  ctx: Context,
  request: ToolRequest,
  { by, idempotency, callbackUrl, turn }: TaskTerms,
): Promise<StartedTask | Record<string, unknown>> {
  const { requestId: id, reply } = ctx
  const { ownerId, keyId } = by
  const earlier = idempotency ? await findIdempotentCall(keyId, idempotency) : null
  const known = earlier === null ? null : await findTask(ownerId, earlier)
  const accept = (task: { id: string; tool: string | null; createdAt: Date }) => {
    const started = startedTask(task)
    reply.task = started.poll
    reply.status = 202
    return started
  }
  if (known) {
    reply.replayed = true
    return accept(known)
  }
  // Before the hold: where this process dies in between, the task says that it is lost.
  const task = await createTask(ownerId, id, { tool: request.tool, callbackUrl })
  const entrance = { expected: null, enter: async () => by }
  const stop = new AbortController()
  const input = { ...request, idempotency, stop: stop.signal }
  const { plan, reservation } = await holdTask({ ctx: { ...ctx, entrance }, input }).catch(async (refusal) => {
    await dropTask(ownerId, id).catch(() => {})
    throw refusal
  })
  if (reservation.kind === 'replay') {
    await dropTask(ownerId, id).catch(() => {})
    return runAndSettle(plan, reservation)
  }
  const call = async () => {
    // One that was cancelled in the queue begins at once, and is void.
    const end = await turn?.(stop.signal).catch(() => {})
    try {
      return taskResult(await runAndSettle(plan, reservation), false)
    } catch (thrown) {
      const error = toAppError(thrown)
      return wasCancelled(error, stop.signal) ? null : taskResult(wholeErrorBody(error), true)
    } finally {
      end?.()
    }
  }
  watchCancels()
  const work = call().then((result) => finishTask(id, result))
  runInBackground(work, { id, stop })
  return accept(task)
}
