import { createHash } from 'node:crypto'
import { z } from 'zod'
import { describeActivity, findMcpTool, listMcpTools } from '../../catalog/mcp'
import type { Idempotency } from '../../credits/hold-request'
import { findIdempotentCall } from '../../credits/idempotent-call'
import type { Replay } from '../../credits/plan'
import { AppError, asAppError } from '../../errors'
import { type HostedImage, type LinkedImage, readOrLinkImage } from '../../files/image'
import { mayCallTool } from '../../keys/grants'
import { log } from '../../kit/log'
import { stableJson } from '../../kit/stable-json'
import { planToolCall, type ToolOutcome } from '../../tools/call'
import { cancelTask, watchCancels } from '../../tools/cancel-task'
import type { AnyTool } from '../../tools/define'
import { type CallTask, createTask, findTask, finishTask, getTask, taskIdempotency } from '../../tools/tasks'
import { billed } from '../billed'
import type { Context, ResponseMeta } from '../context'
import { billedProcedure, keyProcedure, router } from '../trpc'
import { makeIdempotency, openStored } from './idempotency'
import { mcpContext } from './mcp-context'

/** What a tool returned, for MCP. */
export type McpToolResult = { result: Record<string, unknown>; credits: number; images: (HostedImage | LinkedImage)[] }

/** Larger images are links: an image costs the model tokens and time. */
const MAX_IMAGE_BYTES = 1024 * 1024

const McpCall = z.strictObject({
  name: z.string(),
  params: z.unknown(),
  /** As the call's `_meta` has it. */
  idempotencyKey: z.unknown().optional(),
  /** Whether its client polls for the result. */
  isTask: z.boolean().default(false),
})

/** The Idempotency-Key of a call. Ids and progress tokens may differ between repeats. */
function idempotencyIn(
  { name, params, idempotencyKey }: Pick<z.infer<typeof McpCall>, 'name' | 'params' | 'idempotencyKey'>,
  reply: ResponseMeta,
): Idempotency | undefined {
  if (idempotencyKey === undefined) return undefined
  const bodyHash = createHash('sha256').update(stableJson({ name, params })).digest()
  return makeIdempotency(idempotencyKey, bodyHash, { channel: 'mcp', reply })
}

/** The same; that of a task stores its result, whatever its size. */
function idempotencyOfCall(input: z.infer<typeof McpCall>, { requestId, reply }: Pick<Context, 'requestId' | 'reply'>) {
  const given = idempotencyIn(input, reply)
  return input.isTask ? { ...(given ?? taskIdempotency(requestId)), isWhole: true } : given
}

/** What a call answered, made of what was stored of it. */
async function outcomeOf({ answer, what }: NonNullable<CallTask['stored']>): Promise<McpToolResult | AppError> {
  const { status, body, charged } = answer
  if (status >= 400) return asAppError(body).charged(Number(charged))
  const tool = findMcpTool(what)
  const images = tool && tool !== 'elsewhere' ? await imagesIn(tool, body) : []
  return { result: body, credits: Number(charged), images }
}

/**
 * The images in a result. The call is charged already: one that cannot be read is left out, its URL
 * stays.
 */
async function imagesIn(tool: AnyTool, result: Record<string, unknown>): Promise<McpToolResult['images']> {
  if (!tool.images) return []
  try {
    const read = tool.images(result as never).map((url) => readOrLinkImage(url, MAX_IMAGE_BYTES))
    return (await Promise.all(read)).filter((image) => image !== null)
  } catch (error) {
    log.warn({ tool: tool.id, err: String(error) }, 'an image could not be read')
    return []
  }
}

/**
 * The operations of MCP. Each request calls `authenticate` first, and is counted once whatever
 * follows.
 */
export const mcpRouter = router({
  context: mcpContext,

  // Not a query, which would wait for the charges of earlier calls.
  authenticate: keyProcedure.mutation(() => null),

  listTools: keyProcedure.query(({ ctx }) => listMcpTools((id) => mayCallTool(ctx.caller.grants, id))),

  /**
   * The task of this request's call, or that of an earlier one with its Idempotency-Key; null where
   * the call is to be answered at once.
   */
  startTask: keyProcedure.input(McpCall).mutation(async ({ ctx, input }): Promise<CallTask | null> => {
    const { ownerId, keyId, grants } = ctx.caller
    const tool = findMcpTool(input.name)
    if (!tool || tool === 'elsewhere' || !tool.isLong || !mayCallTool(grants, tool.id)) return null
    const idempotency = idempotencyIn(input, ctx.reply)
    const earlier = idempotency ? await findIdempotentCall(keyId, idempotency) : null
    watchCancels()
    if (earlier === null) return createTask(ownerId, ctx.requestId)
    const task = await findTask(ownerId, earlier)
    if (task) ctx.reply.replayed = true
    return task
  }),

  /** Keeps what this request's call answered; null where it was cancelled. */
  finishTask: keyProcedure
    .input(z.strictObject({ result: z.custom<Record<string, unknown> | null>() }))
    .mutation(({ ctx, input }) => finishTask(ctx.requestId, input.result)),

  /** Stops a call if the provider does not have the request yet; nothing for one that has ended. */
  cancelTask: keyProcedure.input(z.strictObject({ taskId: z.string() })).mutation(async ({ ctx, input }) => {
    await cancelTask(ctx.caller.ownerId, input.taskId).catch((error) => {
      if (error.code !== 'conflict') throw error
    })
    return input
  }),

  getTask: keyProcedure.input(z.strictObject({ taskId: z.string() })).query(async ({ ctx, input }) => {
    const { stored, ...task } = await getTask(ctx.caller.ownerId, input.taskId)
    return { ...task, outcome: stored && (await outcomeOf(stored)) }
  }),

  /** What a call is doing, for a client that waits for it. */
  activity: keyProcedure.input(McpCall).query(({ input: { name, params } }) => describeActivity(name, params)),

  runTool: billedProcedure.input(McpCall).mutation(
    billed(async ({ ctx, input, by }) => {
      const { name, params } = input
      const tool = findMcpTool(name)
      if (!tool) throw new AppError('unknown_tool', `There is no tool "${name}". tools/list has those of this key.`)
      if (tool === 'elsewhere') {
        throw new AppError('unknown_tool', `${name} takes longer than an MCP call. Use POST /api/v1/query.`)
      }
      const plan = await planToolCall({
        tool,
        params,
        payer: by,
        granted: mayCallTool(by.grants, tool.id),
        id: ctx.requestId,
        channel: 'mcp',
        idempotency: idempotencyOfCall(input, ctx),
        callerSignal: ctx.signal,
      })
      const answer = async (outcome: ToolOutcome | Replay): Promise<McpToolResult> => {
        if (outcome.kind === 'replay') {
          const { body, charged } = openStored(outcome.answer, ctx.reply)
          return { result: body, credits: Number(charged), images: await imagesIn(tool, body) }
        }
        const { result, charged } = outcome
        return { result, credits: charged, images: await imagesIn(tool, result) }
      }
      return { plan, answer }
    }),
  ),
})
