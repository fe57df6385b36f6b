import type { Context } from '../../api/context'
import { appRouter } from '../../api/router'
import { createCallerFactory, toAppError } from '../../api/trpc'
import type { AppError } from '../../errors'
import type { McpOperations } from './server'

const createCaller = createCallerFactory(appRouter)

/** One JSON-RPC request, let in or refused once. */
export type McpRequest = {
  requestId: string
  caller: ReturnType<typeof createCaller>
  /** Why it may not go on: the key's minute is used up, or the database is away. A tools/call answers it as its result. */
  refusal: AppError | null
}

function lasting(thrown: unknown): AppError {
  const error = toAppError(thrown)
  if (error.code === 'rate_limited' || error.code === 'unavailable') return error
  throw error
}

/** Authenticates a request and counts it. Throws `unauthorized`. */
export async function authenticateMcpRequest(ctx: Context): Promise<McpRequest> {
  const caller = createCaller(ctx)
  const refusal = await caller.public.mcp.admit().then(() => null, lasting)
  return { requestId: ctx.requestId, caller, refusal }
}

/** Whether a body is meant as a tools/call; the SDK still judges its form. */
export const isToolCall = (body: unknown): body is { method: string; params?: unknown } =>
  typeof body === 'object' && body !== null && 'method' in body && body.method === 'tools/call'

/** A message without its arguments, and those as they came: the SDK would drop or refuse what a tool should judge. */
export function separateArguments<T>(message: T): { message: T; args: unknown } {
  if (!isToolCall(message) || typeof message.params !== 'object' || message.params === null) {
    return { message, args: undefined }
  }
  const { arguments: args, ...params } = message.params as { arguments?: unknown }
  return { message: { ...message, params }, args }
}

/** What an admitted request asks of the procedures. */
export const mcpOperations = ({ requestId, caller, refusal }: McpRequest, args: unknown): McpOperations => ({
  requestId,
  list: () => caller.public.mcp.listTools(),
  call: async (name) => {
    if (refusal) throw refusal
    return caller.public.mcp.runTool({ name, params: args === undefined ? {} : args })
  },
})
