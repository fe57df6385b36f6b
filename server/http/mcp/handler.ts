import {
  classifyInboundRequest,
  createMcpHandler,
  type InboundLegacyRouteReason,
  isJSONRPCRequest,
  type JSONRPCRequest,
  type MessageClassification,
  PARSE_ERROR,
} from '@modelcontextprotocol/server'
import { toAppError } from '../../api/trpc'
import { AppError } from '../../errors'
import { uuidv7 } from '../../kit/id'
import { isRecord } from '../../kit/record'
import { arrivesWithHead } from '../arrived-body'
import { DEFAULT_MAX_BODY, readJson } from '../body'
import { disconnectable, type Exchange, makeHandler } from '../handler'
import { resourceMetadataUrl } from '../oauth/metadata'
import { callerFor } from '../procedure'
import { sendError, sendEvents, sendValue } from '../response'
import { answerHandshakeRevision, type HandshakeMessage, rpcError } from './handshake'
import { serveOnce } from './one-answer'
import { requireOwnOrigin } from './origin'
import { eventsOfCall, rpcEvent, type WatchedCall, watchedCallOf } from './progress'
import { authenticateMcpRequest, isToolCall, type McpRequest, mcpOperations, separateArguments } from './request'
import { failedResult } from './results'
import { taskOperations } from './run-task'
import { makeMcpServer, makeToolCallServer, STATELESS_REVISION } from './server'

/** How to authenticate: with a key, or where a client without one finds out how to get it. */
const challenge = () => `Bearer realm="tollgate", resource_metadata="${resourceMetadataUrl()}"`

const STANDARD_HEADERS = ['mcp-protocol-version', 'mcp-method', 'mcp-name']

/** True for a client of a revision with links to resources; without the header it has none. */
const knowsLinks = ({ headers }: Request): boolean => (headers.get('mcp-protocol-version') ?? '') >= '2025-06-18'

/** What a client of revision 2024-11-05 does wrong, which opens a stream with GET first. */
const POST_ONLY =
  'Use POST: this is Streamable HTTP, of revision 2025-03-26 and later. The HTTP+SSE transport of revision 2024-11-05 is not served.'

/** An error in the API's envelope; a 401 also says how to authenticate. */
function sendMcpError(thrown: unknown, headers: Record<string, string>): Response {
  const { code } = toAppError(thrown)
  if (code === 'method_not_allowed') return sendError(new AppError(code, POST_ONLY), headers)
  return sendError(thrown, { ...headers, ...(code === 'unauthorized' && { 'www-authenticate': challenge() }) })
}

/**
 * What kind of message a body of the handshake revisions is; null for any other body, which the SDK
 * classifies.
 */
function handshakeReason({ headers }: Request, body: unknown): InboundLegacyRouteReason | null {
  const revision = headers.get('mcp-protocol-version') ?? undefined
  // The SDK classifies these itself, and refuses other revisions under this header.
  if (revision === STATELESS_REVISION) return null
  // The most frequent message, which the SDK would compare with three other kinds first.
  if (isToolCall(body) && isJSONRPCRequest(body) && body.params?._meta === undefined) return 'no-claim'
  const classified = classifyInboundRequest({ httpMethod: 'POST', protocolVersionHeader: revision, body })
  return classified.kind === 'legacy' ? classified.reason : null
}

/**
 * What a tools/call of revision 2026-07-28 is classified as, where headers, envelope and message
 * agree; null where the SDK has to say what is wrong with them.
 */
function statelessCallOf({ headers }: Request, body: unknown): MessageClassification | null {
  if (!isToolCall(body) || !isRecord(body.params)) return null
  const [protocolVersionHeader, mcpMethodHeader, mcpNameHeader] = STANDARD_HEADERS.map((name) => headers.get(name))
  if (protocolVersionHeader !== STATELESS_REVISION || mcpMethodHeader !== body.method) return null
  if (mcpNameHeader !== body.params.name) return null
  const classified = classifyInboundRequest({ httpMethod: 'POST', protocolVersionHeader, mcpMethodHeader, body })
  return classified.kind === 'modern' && classified.messageKind === 'request' ? classified.classification : null
}

/**
 * Serves revision 2026-07-28 and invalid messages: the SDK's handler checks headers and envelope.
 */
async function serveStateless(exchange: Exchange, body: unknown, entry: McpRequest): Promise<Response> {
  const { req, headers } = exchange
  const { message, input } = separateArguments(body)
  let running: Promise<unknown> = Promise.resolve()
  const onCall = (call: Promise<unknown>) => {
    running = call.catch(() => {})
    entry.onCall?.(call)
  }
  const tasks = entry.refusal ? undefined : taskOperations(exchange, input)
  const operations = { ...mcpOperations({ ...entry, onCall }, input), tasks }
  const call = statelessCallOf(req, message)
  // The SDK's handler makes a response of the answer, whose body would be read again.
  if (call)
    return sendValue(200, await serveOnce(makeToolCallServer(operations), message as JSONRPCRequest, call), headers())
  const response = await createMcpHandler(() => makeMcpServer(operations), { legacy: 'reject' }).fetch(req, {
    parsedBody: message,
  })
  // The SDK responds at once when the client disconnects; the request is over when its call is.
  await running
  for (const [name, value] of Object.entries(headers())) response.headers.set(name, value)
  return response
}

/** Serves the revisions with a handshake. */
async function serveHandshake(
  { req, headers }: Exchange,
  body: unknown,
  sent: Pick<HandshakeMessage, 'reason' | 'first'>,
): Promise<Response> {
  const answer = await answerHandshakeRevision(body, {
    ...sent,
    revision: req.headers.get('mcp-protocol-version'),
    authenticateNext: () => {
      const next = { requestId: uuidv7(), reply: {} }
      return authenticateMcpRequest(callerFor({ req, ...next }, 'key'), { ...next, takesLinks: knowsLinks(req) })
    },
  })
  if (answer.body === null) return new Response(null, { status: answer.status, headers: headers() })
  return sendValue(answer.status, answer.body, headers())
}

/** What a client gets whose call a shutdown could not wait for. It is not charged. */
function cutEvent({ id }: WatchedCall, requestId: string): string {
  const error = new AppError('unavailable', 'The service is restarting. Send the request again.', { retryAfter: 1 })
  return rpcEvent({ jsonrpc: '2.0', id, result: { ...failedResult(error, { requestId }), resultType: 'complete' } })
}

/**
 * `/api/v1/mcp`: the Model Context Protocol over Streamable HTTP, stateless: a server per request,
 * nothing kept between them. A status refuses what is not a message (401, 403 for a foreign Origin,
 * 405, 413, 415) and 429 for other methods than tools/call; the outcome of a tools/call is always
 * its result, which comes as an event stream to a client that wants to read its progress.
 */
export const mcpHandler = makeHandler(
  'mcp',
  async (exchange) => {
    const { req, requestId, headers } = exchange
    requireOwnOrigin(req.headers)
    const { signal, disconnect } = disconnectable(req)
    const isHere = await arrivesWithHead(req)
    const procedures = callerFor({ ...exchange, signal, isBodyHere: () => isHere }, 'key')
    const request = { ...exchange, procedures, takesLinks: knowsLinks(req) }
    const authenticate = () => authenticateMcpRequest(procedures, request)
    const readBody = () => readJson(exchange, DEFAULT_MAX_BODY)
    const early = isHere ? readBody() : null
    const sent = (await early?.catch(() => null))?.value
    // One tools/call lets its key in with its hold.
    const isCall = isToolCall(sent) && !watchedCallOf(req.headers, sent)
    let isLetIn = false
    const noteLetIn = () => {
      isLetIn = true
    }
    const onOnlyCall = (call: Promise<unknown>) => void call.then(noteLetIn, () => {})
    const first = isCall ? { ...request, refusal: null, onCall: onOnlyCall } : await authenticate()
    const read = await (early ?? readBody()).catch((error) => {
      if (first.refusal) throw first.refusal
      if (toAppError(error).code === 'invalid_request') return null
      throw error
    })
    if (!read) return sendValue(400, rpcError(null, PARSE_ERROR, 'The body is not valid JSON.'), headers())
    const { value: body } = read
    if (first.refusal && ![body].flat().some(isToolCall)) throw first.refusal

    const reason = handshakeReason(req, body)
    const answerTo = (entry: McpRequest) =>
      reason === null ? serveStateless(exchange, body, entry) : serveHandshake(exchange, body, { reason, first: entry })
    const watched = watchedCallOf(req.headers, body)
    if (!watched) {
      const answer = await answerTo(first)
      // Where the call was not come to, or its key is refused by a status.
      if (isCall && !isLetIn) await authenticate()
      return answer
    }
    const { promise: begun, resolve: onCall } = Promise.withResolvers<unknown>()
    const answer = answerTo({ ...first, onCall: () => onCall(null) })
    // What is refused before the call begins has its status; from then on everything is an event.
    const refused = await Promise.race([answer, begun.then(() => null)])
    if (refused) return refused
    return sendEvents(eventsOfCall(answer, watched, first), {
      headers: headers(),
      onDisconnect: disconnect,
      lastEventIfCut: cutEvent(watched, requestId),
    })
  },
  { methods: ['POST'], sendError: sendMcpError },
)
