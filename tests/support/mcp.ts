import { send, type TestResponse } from './api'
import { fetchFromListener } from './listener'

export const MCP_PATH = '/api/v1/mcp'

/** Both kinds of answers, as every client must take them. */
const ACCEPT = { accept: 'application/json, text/event-stream' }

export type RpcMessage = { id?: string | number; method: string; params?: Record<string, unknown> }
type Sending = { headers?: Record<string, string>; signal?: AbortSignal }

/** Sends one JSON-RPC message, or several, as a client of the 2025 revisions does. */
export const sendRpc = (
  key: string,
  message: RpcMessage | RpcMessage[],
  { headers, signal }: Sending = {},
): Promise<TestResponse> => {
  const whole = (m: RpcMessage) => ({ jsonrpc: '2.0', ...m })
  const body = Array.isArray(message) ? message.map(whole) : whole(message)
  return send(MCP_PATH, { key, body, headers: { ...ACCEPT, ...headers }, signal })
}

/** Sends one request as a client of revision 2026-07-28 does. */
export const sendStatelessRpc = (
  key: string,
  { id = 1, method, params = {} }: RpcMessage,
  given: Sending = {},
): Promise<TestResponse> =>
  sendRpc(
    key,
    {
      id,
      method,
      params: {
        ...params,
        _meta: {
          ...(params._meta as object | undefined),
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    },
    {
      ...given,
      headers: {
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        ...(typeof (params.name ?? params.uri) === 'string' && { 'mcp-name': String(params.name ?? params.uri) }),
        ...given.headers,
      },
    },
  )

/** The two ways to speak: a test of what both must do runs over these. */
export const MCP_REVISIONS = [
  ['a 2025 revision', (key: string, m: RpcMessage, given?: Sending) => sendRpc(key, { id: 1, ...m }, given)],
  ['2026-07-28', sendStatelessRpc],
] as const

export type CallResult = {
  content: { type: string; text?: string; data?: string; mimeType?: string }[]
  structuredContent?: Record<string, unknown>
  isError?: boolean
  service?: { credits_charged: number }
  _meta?: Record<string, unknown>
}

/** The result of a JSON-RPC answer. */
export const mcpResultOf = ({ body }: TestResponse): CallResult => body.result as CallResult

/** What a failed call says, as JSON. */
export const mcpFailureOf = (answer: TestResponse): Record<string, unknown> => {
  const { isError, content } = mcpResultOf(answer)
  if (!isError) throw new Error(`not a failure: ${answer.text}`)
  return JSON.parse(content[0]?.text ?? '')
}

/** A fetch that leads to the production listener, and what passed through it. */
export function recordedFetch() {
  const seen: { sent: string; status: number; answered: string }[] = []
  const fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init)
    const sent = await request.clone().text()
    const response = await fetchFromListener(request)
    seen.push({ sent, status: response.status, answered: await response.clone().text() })
    return response
  }
  return { fetch, seen }
}

/** The endpoint as a URL; `recordedFetch` leads it to the listener. */
export const mcpUrl = (): URL => new URL(`http://127.0.0.1:3000${MCP_PATH}`)
