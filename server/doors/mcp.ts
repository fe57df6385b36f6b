import { classifyInboundRequest, createMcpHandler, isJSONRPCRequest, PARSE_ERROR } from '@modelcontextprotocol/server'
import { makeContext } from '../api/context'
import { asAppError } from '../api/trpc'
import { DEFAULT_MAX_BODY, readJson } from './body'
import { asDoor, type Exchange } from './exchange'
import { deskOf, type Entry, enter, takeArguments } from './mcp-entry'
import { answerHandshakeEra, rpcError } from './mcp-handshake'
import { needOwnOrigin } from './mcp-origin'
import { makeMcpServer } from './mcp-server'
import { sendError, sendValue } from './reply'

const isToolCall = (message: unknown) => isJSONRPCRequest(message) && message.method === 'tools/call'

/** 401 tells how to authenticate; every other refusal is the API's. */
function refuse(thrown: unknown, headers: Record<string, string>): Response {
  const isUnknown = asAppError(thrown).code === 'unauthorized'
  return sendError(thrown, { ...headers, ...(isUnknown && { 'www-authenticate': 'Bearer realm="tollgate"' }) })
}

const eraOf = ({ headers }: Request, body: unknown) =>
  classifyInboundRequest({
    httpMethod: 'POST',
    protocolVersionHeader: headers.get('mcp-protocol-version') ?? undefined,
    mcpMethodHeader: headers.get('mcp-method') ?? undefined,
    mcpNameHeader: headers.get('mcp-name') ?? undefined,
    body,
  })

/** Revision 2026-07-28, and what is of no revision: the SDK's handler checks headers and envelope. */
async function serveModern({ req, headers }: Exchange, body: unknown, entry: Entry): Promise<Response> {
  const { message, args } = isJSONRPCRequest(body) ? takeArguments(body) : { message: body, args: undefined }
  const desk = deskOf(entry, args)
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
export const mcpDoor = asDoor(
  'mcp',
  async (exchange) => {
    const { req, requestId, reply, headers } = exchange
    needOwnOrigin(req.headers)
    const given = { headers: req.headers, via: 'key' as const, gone: req.signal }
    const first = await enter(makeContext({ ...given, requestId, reply }))
    const read = await readJson(req, DEFAULT_MAX_BODY).catch((error) => {
      if (first.refusal) throw first.refusal
      if (asAppError(error).code === 'invalid_request') return null
      throw error
    })
    if (!read) return sendValue(400, rpcError(null, PARSE_ERROR, 'The body is not valid JSON.'), headers())
    const body = read.value
    if (first.refusal && ![body].flat().some(isToolCall)) throw first.refusal
    if (eraOf(req, body).kind !== 'legacy') return serveModern(exchange, body, first)
    const { status, body: answer } = await answerHandshakeEra(body, {
      revision: req.headers.get('mcp-protocol-version'),
      first,
      enterNext: () => enter(makeContext(given)),
    })
    if (answer === null) return new Response(null, { status, headers: headers() })
    return sendValue(status, answer, headers())
  },
  { methods: ['POST'], sendError: refuse },
)
