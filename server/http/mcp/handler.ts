import {
  classifyInboundRequest,
  createMcpHandler,
  type InboundLegacyRouteReason,
  PARSE_ERROR,
} from '@modelcontextprotocol/server'
import { makeContext } from '../../api/context'
import { toAppError } from '../../api/trpc'
import { DEFAULT_MAX_BODY, readJson } from '../body'
import { type Exchange, makeHandler } from '../handler'
import { sendError, sendValue } from '../response'
import { answerHandshakeRevision, rpcError } from './handshake'
import { requireOwnOrigin } from './origin'
import { authenticateMcpRequest, isToolCall, type McpRequest, mcpOperations, separateArguments } from './request'
import { makeMcpServer } from './server'

const MODERN = '2026-07-28'

/** 401 tells how to authenticate; every other refusal is the API's. */
function refuse(thrown: unknown, headers: Record<string, string>): Response {
  const isUnknown = toAppError(thrown).code === 'unauthorized'
  return sendError(thrown, { ...headers, ...(isUnknown && { 'www-authenticate': 'Bearer realm="tollgate"' }) })
}

/** What a body of the revisions with a handshake is; null for every other, which the SDK's handler sorts itself. */
function handshakeReason({ headers }: Request, body: unknown): InboundLegacyRouteReason | null {
  const revision = headers.get('mcp-protocol-version') ?? undefined
  // Saves sorting it twice; the SDK refuses what bears this header and is not of this revision.
  if (revision === MODERN) return null
  const sorted = classifyInboundRequest({ httpMethod: 'POST', protocolVersionHeader: revision, body })
  return sorted.kind === 'legacy' ? sorted.reason : null
}

/** Revision 2026-07-28, and what is of no revision: the SDK's handler checks headers and envelope. */
async function serveModern({ req, headers }: Exchange, body: unknown, entry: McpRequest): Promise<Response> {
  const { message, args } = separateArguments(body)
  const desk = mcpOperations(entry, args)
  let running: Promise<unknown> = Promise.resolve()
  const call = (name: string) => {
    const answer = desk.call(name)
    running = answer.catch(() => {})
    return answer
  }
  const handler = createMcpHandler(() => makeMcpServer({ ...desk, call }), { legacy: 'reject' })
  const response = await handler.fetch(req, { parsedBody: message })
  // A caller who left is answered at once; what it is charged for ends before this call counts as over.
  await running
  for (const [name, value] of Object.entries(headers())) response.headers.set(name, value)
  return response
}

/**
 * `/api/v1/mcp`: the Model Context Protocol over Streamable HTTP, stateless: a server per request, nothing kept between
 * them. HTTP refuses what is not a message (401, 403 for a foreign Origin, 405, 413, 415) and 429 on other methods than
 * tools/call; whatever becomes of a tools/call is its result.
 */
export const mcpHandler = makeHandler(
  'mcp',
  async (exchange) => {
    const { req, requestId, reply, headers } = exchange
    requireOwnOrigin(req.headers)
    const given = { headers: req.headers, via: 'key' as const, signal: req.signal }
    const first = await authenticateMcpRequest(makeContext({ ...given, requestId, reply }))
    const read = await readJson(req, DEFAULT_MAX_BODY).catch((error) => {
      if (first.refusal) throw first.refusal
      if (toAppError(error).code === 'invalid_request') return null
      throw error
    })
    if (!read) return sendValue(400, rpcError(null, PARSE_ERROR, 'The body is not valid JSON.'), headers())
    const body = read.value
    if (first.refusal && ![body].flat().some(isToolCall)) throw first.refusal
    const reason = handshakeReason(req, body)
    if (reason === null) return serveModern(exchange, body, first)
    const { status, body: answer } = await answerHandshakeRevision(body, {
      reason,
      revision: req.headers.get('mcp-protocol-version'),
      first,
      enterNext: () => authenticateMcpRequest(makeContext(given)),
    })
    if (answer === null) return new Response(null, { status, headers: headers() })
    return sendValue(status, answer, headers())
  },
  { methods: ['POST'], sendError: refuse },
)
