import {
  INVALID_REQUEST,
  type InboundLegacyRouteReason,
  isInitializeRequest,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type Server,
  type Transport,
} from '@modelcontextprotocol/server'
import type { AppError } from '../../errors'
import { errorBody } from '../response'
import { type McpRequest, mcpOperations, separateArguments } from './request'
import { HANDSHAKE_REVISIONS, makeMcpServer } from './server'

/** The only revision that has batches. */
const BATCH_REVISION = '2025-03-26'
const MAX_BATCH = 50

/** Codes -32000 to -32099 are a server's own. */
const REFUSED = -32_000

/** A body of the 2025 revisions answered: its HTTP status, and nothing to say for notifications. */
export type McpResponse = { status: number; body: JSONRPCMessage | JSONRPCMessage[] | null }

/** A JSON-RPC error. Without a request to answer its id is null, which the SDK's type leaves out. */
export const rpcError = (id: string | number | null, code: number, message: string, data?: unknown): JSONRPCMessage =>
  ({ jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } }) as JSONRPCMessage

const refused = (id: string | number, error: AppError) => rpcError(id, REFUSED, error.message, errorBody(error))

const badRequest = (code: number, message: string): McpResponse => ({
  status: 400,
  body: rpcError(null, code, message),
})

/** Takes one request through a server of its own; nothing of it outlives the answer. */
async function exchangeOnce(server: Server, message: JSONRPCRequest): Promise<JSONRPCMessage> {
  const { promise, resolve } = Promise.withResolvers<JSONRPCMessage>()
  const transport: Transport = {
    start: async () => {},
    close: async () => {},
    send: async (answer) => {
      if (!('method' in answer)) resolve(answer)
    },
  }
  await server.connect(transport)
  transport.onmessage?.(message, { classification: { era: 'legacy' } })
  return promise
}

async function answer(request: JSONRPCRequest, entry: McpRequest): Promise<JSONRPCMessage> {
  if (entry.refusal && request.method !== 'tools/call') return refused(request.id, entry.refusal)
  const { message, args } = separateArguments(request)
  return exchangeOnce(makeMcpServer(mcpOperations(entry, args)), message)
}

/** A batch: every request in it is one of its own, let in, counted and billed by itself; `first` is the first one's. */
async function answerBatch(
  batch: readonly unknown[],
  first: McpRequest,
  enterNext: () => Promise<McpRequest>,
): Promise<McpResponse> {
  if (batch.length > MAX_BATCH) return badRequest(INVALID_REQUEST, `A batch may have ${MAX_BATCH} messages at most.`)
  if (batch.some(isInitializeRequest)) return badRequest(INVALID_REQUEST, 'initialize must stand alone.')
  const requests = batch.filter(isJSONRPCRequest)
  if (requests.length === 0) return { status: 202, body: null }
  const entries = requests.map((_, i) => (i === 0 ? Promise.resolve(first) : enterNext()))
  return { status: 200, body: await Promise.all(requests.map(async (r, i) => answer(r, (await entries[i]) ?? first))) }
}

type Sent = {
  /** What the body is, as the SDK sorted it. */
  reason: InboundLegacyRouteReason
  /** The MCP-Protocol-Version header, which the handshake itself need not bear. */
  revision: string | null
  first: McpRequest
  enterNext: () => Promise<McpRequest>
}

/** Answers a body of the revisions with a handshake: a request, a notification, a response or, where there were any, a batch. */
export async function answerHandshakeRevision(
  body: unknown,
  { reason, revision, first, enterNext }: Sent,
): Promise<McpResponse> {
  if (revision !== null && !HANDSHAKE_REVISIONS.includes(revision) && reason !== 'initialize') {
    const known = HANDSHAKE_REVISIONS.join(', ')
    return badRequest(REFUSED, `MCP-Protocol-Version ${revision} is not spoken here; these are: ${known}, 2026-07-28.`)
  }
  if (reason === 'notification' || reason === 'response') return { status: 202, body: null }
  if (!Array.isArray(body)) return { status: 200, body: await answer(body as JSONRPCRequest, first) }
  if (revision === null || revision === BATCH_REVISION) return answerBatch(body, first, enterNext)
  return badRequest(INVALID_REQUEST, `Batches ended with revision ${BATCH_REVISION}.`)
}
