import {
  classifyInboundRequest,
  createMcpHandler,
  type InboundLegacyRouteReason,
  PARSE_ERROR,
} from '@modelcontextprotocol/server'
import { toAppError } from '../../api/trpc'
import { uuidv7 } from '../../kit/id'
import { DEFAULT_MAX_BODY, readJson } from '../body'
import { type Exchange, makeHandler } from '../handler'
import { resourceMetadataUrl } from '../oauth/metadata'
import { callerFor } from '../procedure'
import { sendError, sendValue } from '../response'
import { answerHandshakeRevision, rpcError } from './handshake'
import { requireOwnOrigin } from './origin'
import { authenticateMcpRequest, isToolCall, type McpRequest, mcpOperations, separateArguments } from './request'
import { makeMcpServer } from './server'

const MODERN = '2026-07-28'

/** How to authenticate: with a key, or where a client without one finds out how to get it. */
const challenge = () => `Bearer realm="tollgate", resource_metadata="${resourceMetadataUrl()}"`

/** An error in the API's envelope; a 401 also says how to authenticate. */
function sendMcpError(thrown: unknown, headers: Record<string, string>): Response {
  const isUnauthorized = toAppError(thrown).code === 'unauthorized'
  return sendError(thrown, { ...headers, ...(isUnauthorized && { 'www-authenticate': challenge() }) })
}

/**
 * What kind of message a body of the handshake revisions is; null for any other body, which the SDK
 * classifies.
 */
function handshakeReason({ headers }: Request, body: unknown): InboundLegacyRouteReason | null {
  const revision = headers.get('mcp-protocol-version') ?? undefined
  // The SDK classifies these itself, and refuses other revisions under this header.
  if (revision === MODERN) return null
  const classified = classifyInboundRequest({ httpMethod: 'POST', protocolVersionHeader: revision, body })
  return classified.kind === 'legacy' ? classified.reason : null
}

/**
 * Serves revision 2026-07-28 and invalid messages: the SDK's handler checks headers and envelope.
 */
async function serveStateless({ req, headers }: Exchange, body: unknown, entry: McpRequest): Promise<Response> {
  const { message, args } = separateArguments(body)
  const operations = mcpOperations(entry, args)
  let running: Promise<unknown> = Promise.resolve()
  const call = (name: string) => {
    const result = operations.call(name)
    running = result.catch(() => {})
    return result
  }
  const handler = createMcpHandler(() => makeMcpServer({ ...operations, call }), { legacy: 'reject' })
  const response = await handler.fetch(req, { parsedBody: message })
  // The SDK responds at once when the client disconnects; the request is over when its call is.
  await running
  for (const [name, value] of Object.entries(headers())) response.headers.set(name, value)
  return response
}

/**
 * `/api/v1/mcp`: the Model Context Protocol over Streamable HTTP, stateless: a server per request,
 * nothing kept between them. A status refuses what is not a message (401, 403 for a foreign Origin,
 * 405, 413, 415) and 429 for other methods than tools/call; the outcome of a tools/call is always
 * its result.
 */
export const mcpHandler = makeHandler(
  'mcp',
  async (exchange) => {
    const { req, requestId, headers } = exchange
    requireOwnOrigin(req.headers)
    const first = await authenticateMcpRequest(callerFor(exchange, 'key'), requestId)
    const read = await readJson(req, DEFAULT_MAX_BODY).catch((error) => {
      if (first.refusal) throw first.refusal
      if (toAppError(error).code === 'invalid_request') return null
      throw error
    })
    if (!read) return sendValue(400, rpcError(null, PARSE_ERROR, 'The body is not valid JSON.'), headers())
    const { value: body } = read
    if (first.refusal && ![body].flat().some(isToolCall)) throw first.refusal
    const reason = handshakeReason(req, body)
    if (reason === null) return serveStateless(exchange, body, first)
    const response = await answerHandshakeRevision(body, {
      reason,
      revision: req.headers.get('mcp-protocol-version'),
      first,
      authenticateNext: () => {
        const requestId = uuidv7()
        return authenticateMcpRequest(callerFor({ req, requestId }, 'key'), requestId)
      },
    })
    if (response.body === null) return new Response(null, { status: response.status, headers: headers() })
    return sendValue(response.status, response.body, headers())
  },
  { methods: ['POST'], sendError: sendMcpError },
)
