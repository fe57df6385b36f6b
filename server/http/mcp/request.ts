import { toAppError } from '../../api/trpc'
import type { AppError } from '../../errors'
import type { ProcedureCaller } from '../procedure'
import type { McpOperations } from './server'

/** One JSON-RPC request, authenticated once. */
export type McpRequest = {
  requestId: string
  procedures: ProcedureCaller
  /**
   * Why it is refused: the key's rate limit is used up, or the database is unavailable. The result
   * of a tools/call says so; any other method fails.
   */
  refusal: AppError | null
  /** Is called with its tools/call when that begins. */
  onCall?: (call: Promise<unknown>) => void
}

/** Authenticates a request and counts it. Throws `unauthorized`. */
export async function authenticateMcpRequest(procedures: ProcedureCaller, requestId: string): Promise<McpRequest> {
  const refusal = await procedures.public.mcp.authenticate().then(() => null, asRefusal)
  return { requestId, procedures, refusal }
}

function asRefusal(thrown: unknown): AppError {
  const error = toAppError(thrown)
  if (error.code === 'rate_limited' || error.code === 'unavailable') return error
  throw error
}

/** True for a body that is meant as a tools/call; the SDK checks its form. */
export const isToolCall = (body: unknown): body is { method: string; params?: unknown } =>
  typeof body === 'object' && body !== null && 'method' in body && body.method === 'tools/call'

/**
 * A message and its arguments as they came, apart: the SDK would drop or refuse what the tool
 * should validate.
 */
export function separateArguments<T>(message: T): { message: T; args: unknown } {
  if (!isToolCall(message) || typeof message.params !== 'object' || message.params === null) {
    return { message, args: undefined }
  }
  const { arguments: args, ...params } = message.params as { arguments?: unknown }
  return { message: { ...message, params }, args }
}

/** The operations of one request. `args` are the arguments of its tools/call. */
export function mcpOperations({ requestId, procedures, refusal, onCall }: McpRequest, args: unknown): McpOperations {
  const run = async (name: string) => {
    if (refusal) throw refusal
    return procedures.public.mcp.runTool({ name, params: args === undefined ? {} : args })
  }
  return {
    requestId,
    list: () => procedures.public.mcp.listTools(),
    call: (name) => {
      const call = run(name)
      onCall?.(call)
      return call
    },
  }
}
