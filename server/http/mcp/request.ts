import type { ResponseMeta } from '../../api/context'
import { toAppError } from '../../api/trpc'
import type { AppError } from '../../errors'
import { isRecord } from '../../kit/record'
import type { ProcedureCaller } from '../procedure'
import type { McpOperations } from './server'

/** One JSON-RPC request, authenticated once. */
export type McpRequest = {
  requestId: string
  /** What its procedures report, such as whether its result is a replay. */
  reply: ResponseMeta
  procedures: ProcedureCaller
  /** Its client knows links to resources. */
  takesLinks: boolean
  /**
   * Why it is refused: the key's rate limit is used up, or the database is unavailable. The result
   * of a tools/call says so; any other method fails.
   */
  refusal: AppError | null
  /** Is called with its tools/call when that begins. */
  onCall?: (call: Promise<unknown>) => void
}

/** Authenticates a request and counts it. Throws `unauthorized`. */
export async function authenticateMcpRequest(
  procedures: ProcedureCaller,
  { requestId, reply, takesLinks }: Pick<McpRequest, 'requestId' | 'reply' | 'takesLinks'>,
): Promise<McpRequest> {
  const refusal = await procedures.public.mcp.authenticate().then(() => null, asRefusal)
  return { requestId, reply, takesLinks, procedures, refusal }
}

function asRefusal(thrown: unknown): AppError {
  const error = toAppError(thrown)
  if (error.code === 'rate_limited' || error.code === 'unavailable') return error
  throw error
}

/** True for a body that is meant as a tools/call; the SDK checks its form. */
export const isToolCall = (body: unknown): body is { method: string; params?: unknown } =>
  typeof body === 'object' && body !== null && 'method' in body && body.method === 'tools/call'

/** What a tools/call says beside the tool: arguments, and the Idempotency-Key of its `_meta`. */
export type CallInput = { params: unknown; idempotencyKey?: unknown }

/**
 * A message and its arguments as they came, apart: the SDK would drop or refuse what the tool
 * should validate.
 */
export function separateArguments<T>(message: T): { message: T; input: CallInput } {
  if (!isToolCall(message) || !isRecord(message.params)) return { message, input: { params: {} } }
  const { arguments: args = {}, ...params } = message.params
  const idempotencyKey = isRecord(params._meta) ? params._meta['tollgate/idempotencyKey'] : undefined
  return { message: { ...message, params }, input: { params: args, idempotencyKey } }
}

/** The operations of one request. `input` is that of its tools/call. */
export function mcpOperations(request: McpRequest, input: CallInput): McpOperations {
  const { procedures, refusal, onCall } = request
  const run = async (name: string) => {
    if (refusal) throw refusal
    return procedures.public.mcp.runTool({ name, ...input })
  }
  return {
    request,
    list: () => procedures.public.mcp.listTools(),
    context: procedures.public.mcp.context,
    call: (name) => {
      const call = run(name).catch((error: unknown) => {
        request.reply.failure = toAppError(error).status
        throw error
      })
      onCall?.(call)
      return call
    },
  }
}
