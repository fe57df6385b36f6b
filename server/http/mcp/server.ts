import {
  type CallToolResult,
  INTERNAL_ERROR,
  type jsonSchemaValidator,
  type ListToolsResult,
  ProtocolError,
  Server,
} from '@modelcontextprotocol/server'
import type { McpToolEntry, McpToolResult } from '../../api/public/mcp'
import { toAppError } from '../../api/trpc'
import type { AppError } from '../../errors'
import { errorBody, retryAfterSeconds } from '../response'

/** The revisions with an `initialize` handshake that are spoken here, newest first. */
export const HANDSHAKE_REVISIONS = ['2025-11-25', '2025-06-18', '2025-03-26']

/** One JSON-RPC request's way to the procedures. */
export type McpOperations = {
  requestId: string
  list: () => Promise<McpToolEntry[]>
  call: (name: string) => Promise<McpToolResult>
}

const INFO = { name: 'tollgate', title: 'Tollgate', version: '1' }

const INSTRUCTIONS =
  'Every tools/call is billed in credits; service.credits_charged of the result is its charge, also where isError is true. Listing is free.'

/** How long a client may keep a list, milliseconds: a key's tools change only when the service is set up anew. */
const TTL_MS = 300_000

/** For answers to questions that a server asks; this one asks none, and the default would be built per request. */
const noValidator: jsonSchemaValidator = {
  getValidator: () => () => ({ valid: false, data: undefined, errorMessage: 'This server asks nothing.' }),
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

/** The billing block where clients look for it, and the id of the call's receipt. */
const billed = (requestId: string, credits: number | undefined) => {
  const service = credits === undefined ? undefined : { credits_charged: credits }
  const meta = { ...(service && { 'tollgate/service': service }), 'tollgate/request-id': requestId }
  return { ...(service && { service }), _meta: meta }
}

/** A call that was refused or failed: what REST would answer, as a result. */
export function failedResult(error: AppError, requestId: string): CallToolResult {
  const retryAfter = retryAfterSeconds(error)
  const text = JSON.stringify({ ...errorBody(error), ...(retryAfter !== undefined && { retryAfter }) })
  return { content: [{ type: 'text', text }], isError: true, ...billed(requestId, error.charge?.credits) }
}

const ranResult = ({ result, credits, pictures }: McpToolResult, requestId: string): CallToolResult => ({
  content: [
    { type: 'text', text: JSON.stringify(result) },
    ...pictures.map(({ base64, mimeType }) => ({ type: 'image' as const, data: base64, mimeType })),
  ],
  structuredContent: result,
  ...billed(requestId, credits),
})

/** A server for one request. Its handlers throw nothing unexpected, so that no inner text leaves by accident. */
export function makeMcpServer(desk: McpOperations): Server {
  const server = new Server(INFO, OPTIONS)
  server.setRequestHandler('tools/list', () =>
    desk.list().then(
      (tools) => ({ tools }) as ListToolsResult,
      (error) => {
        throw new ProtocolError(INTERNAL_ERROR, toAppError(error).message)
      },
    ),
  )
  server.setRequestHandler('tools/call', ({ params }) =>
    desk.call(params.name).then(
      (answer) => ranResult(answer, desk.requestId),
      (error) => failedResult(toAppError(error), desk.requestId),
    ),
  )
  return server
}
