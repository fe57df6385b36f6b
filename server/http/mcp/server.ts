import {
  type CallToolResult,
  INTERNAL_ERROR,
  type jsonSchemaValidator,
  type ListToolsResult,
  ProtocolError,
  Server,
} from '@modelcontextprotocol/server'
import type { McpToolResult } from '../../api/public/mcp'
import { toAppError } from '../../api/trpc'
import type { AppError } from '../../errors'
import type { ProcedureCaller } from '../procedure'
import { errorBody, retryAfterSeconds } from '../response'

/** The supported revisions with an `initialize` handshake, newest first. */
export const HANDSHAKE_REVISIONS = ['2025-11-25', '2025-06-18', '2025-03-26']

/** What one JSON-RPC request may call. */
export type McpOperations = {
  requestId: string
  list: () => ReturnType<ProcedureCaller['public']['mcp']['listTools']>
  call: (name: string) => Promise<McpToolResult>
}

const INFO = { name: 'tollgate', title: 'Tollgate', version: '1' }

const INSTRUCTIONS =
  'Every tools/call is billed in credits; service.credits_charged of the result is its charge, also where isError is true. Listing is free.'

/**
 * How long a client may cache a list: a key's tools change only when the service is configured
 * anew.
 */
const TTL_MS = 300_000

/**
 * Validates answers to a server's questions. This one asks none, and the default would be built per
 * request.
 */
const noValidator: jsonSchemaValidator = {
  getValidator: () => () => ({ valid: false, data: undefined, errorMessage: 'This server asks no questions.' }),
}

const OPTIONS = {
  capabilities: { tools: {} },
  instructions: INSTRUCTIONS,
  supportedProtocolVersions: HANDSHAKE_REVISIONS,
  jsonSchemaValidator: noValidator,
  cacheHints: {
    'tools/list': { ttlMs: TTL_MS, cacheScope: 'private' as const },
    'server/discover': { ttlMs: TTL_MS, cacheScope: 'private' as const },
  },
}

/** The billing block, where clients look for it, and the id of the call's receipt. */
const billing = (requestId: string, credits: number | undefined) => {
  const service = credits === undefined ? undefined : { credits_charged: credits }
  const meta = { ...(service && { 'tollgate/service': service }), 'tollgate/request-id': requestId }
  return { ...(service && { service }), _meta: meta }
}

/** A call that was refused or failed: the error that REST would return, as a result. */
export function failedResult(error: AppError, requestId: string): CallToolResult {
  const retryAfter = retryAfterSeconds(error)
  const text = JSON.stringify({ ...errorBody(error), ...(retryAfter !== undefined && { retryAfter }) })
  return { content: [{ type: 'text', text }], isError: true, ...billing(requestId, error.charge?.credits) }
}

const successResult = ({ result, credits, images }: McpToolResult, requestId: string): CallToolResult => ({
  content: [
    { type: 'text', text: JSON.stringify(result) },
    ...images.map(({ base64, mimeType }) => ({ type: 'image' as const, data: base64, mimeType })),
  ],
  structuredContent: result,
  ...billing(requestId, credits),
})

/**
 * A server for one request. Its handlers translate every error, so that no internal text gets out.
 */
export function makeMcpServer(operations: McpOperations): Server {
  const server = new Server(INFO, OPTIONS)
  server.setRequestHandler('tools/list', () =>
    operations.list().then(
      (tools) => ({ tools }) as ListToolsResult,
      (error) => {
        throw new ProtocolError(INTERNAL_ERROR, toAppError(error).message)
      },
    ),
  )
  server.setRequestHandler('tools/call', ({ params }) =>
    operations.call(params.name).then(
      (result) => successResult(result, operations.requestId),
      (error) => failedResult(toAppError(error), operations.requestId),
    ),
  )
  return server
}
