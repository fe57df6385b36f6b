import {
  INVALID_REQUEST,
  type InboundLegacyRouteReason,
  isInitializeRequest,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type JSONRPCRequest,
} from '@modelcontextprotocol/server'
import { errorBody } from '../../api/error-body'
import type { AppError } from '../../errors'
import { serveOnce } from './one-answer'
import { type McpRequest, mcpOperations, separateArguments } from './request'
import { HANDSHAKE_REVISIONS, makeMcpServer, makeToolCallServer, STATELESS_REVISION } from './server'

/** The only revision that has batches. */
const BATCH_REVISION = '2025-03-26'
const MAX_BATCH = 50

/** -32000 to -32099 are for errors that a server defines. */
const SERVER_ERROR = -32_000

/** The response to a body of the 2025 revisions. `body` is null for notifications. */
export type McpResponse = { status: number; body: JSONRPCMessage | JSONRPCMessage[] | null }

/** A JSON-RPC error. Its id is null where no request is known, which the SDK's type lacks. */
export const rpcError = (id: string | number | null, code: number, message: string, data?: unknown): JSONRPCMessage =>
  ({ jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } }) as JSONRPCMessage

const refused = (id: string | number, error: AppError) => rpcError(id, SERVER_ERROR, error.message, errorBody(error))

const badRequest = (code: number, message: string): McpResponse => ({
  status: 400,
  body: rpcError(null, code, message),
})

async function answerRequest(message: JSONRPCRequest, request: McpRequest): Promise<JSONRPCMessage> {
  if (request.refusal && message.method !== 'tools/call') return refused(message.id, request.refusal)
  const { message: withoutArguments, input } = separateArguments(message)
  const makeServer = message.method === 'tools/call' ? makeToolCallServer : makeMcpServer
  return serveOnce(makeServer(mcpOperations(request, input)), withoutArguments, { era: 'legacy' })
}

/**
 * A batch: each request in it is authenticated, counted and billed separately. `first` is the first
 * of them.
 */
async function answerBatch(
  batch: readonly unknown[],
  first: McpRequest,
  authenticateNext: () => Promise<McpRequest>,
): Promise<McpResponse> {
  if (batch.length > MAX_BATCH) return badRequest(INVALID_REQUEST, `A batch may have ${MAX_BATCH} messages.`)
  if (batch.some(isInitializeRequest)) return badRequest(INVALID_REQUEST, 'initialize must not be part of a batch.')
  const messages = batch.filter(isJSONRPCRequest)
  if (messages.length === 0) return { status: 202, body: null }
  const responses = messages.map(async (message, i) =>
    answerRequest(message, i === 0 ? first : await authenticateNext()),
  )
  return { status: 200, body: await Promise.all(responses) }
}

export type HandshakeMessage = {
  /** The kind of the body, as the SDK classified it. */
  reason: InboundLegacyRouteReason
  /** The MCP-Protocol-Version header, which the handshake itself may lack. */
  revision: string | null
  first: McpRequest
  authenticateNext: () => Promise<McpRequest>
}

/** Answers a body of the handshake revisions: a request, a notification, a response or a batch. */
export async function answerHandshakeRevision(
  body: unknown,
  { reason, revision, first, authenticateNext }: HandshakeMessage,
): Promise<McpResponse> {
  if (revision !== null && !HANDSHAKE_REVISIONS.includes(revision) && reason !== 'initialize') {
    const known = HANDSHAKE_REVISIONS.join(', ')
    return badRequest(
      SERVER_ERROR,
      `MCP-Protocol-Version ${revision} is not supported; these are: ${known}, ${STATELESS_REVISION}.`,
    )
  }
  if (reason === 'notification' || reason === 'response') return { status: 202, body: null }
  if (!Array.isArray(body)) return { status: 200, body: await answerRequest(body as JSONRPCRequest, first) }
  if (revision === null || revision === BATCH_REVISION) return answerBatch(body, first, authenticateNext)
  return badRequest(INVALID_REQUEST, `Batches ended with revision ${BATCH_REVISION}.`)
}
