import { randomUUID } from 'node:crypto'
import { type Answer, send } from './api'
import { fetchFromListener } from './listener'

export const MCP = '/api/v1/mcp'

/** Both kinds of answers, as every client must take them. */
const ACCEPT = { accept: 'application/json, text/event-stream' }

export type Rpc = { id?: string | number; method: string; params?: Record<string, unknown> }
type Sending = { headers?: Record<string, string>; signal?: AbortSignal }

/** Sends one JSON-RPC message, or several, as a client of the 2025 revisions does. */
export const sendRpc = (key: string, message: Rpc | Rpc[], { headers, signal }: Sending = {}): Promise<Answer> => {
  const whole = (m: Rpc) => ({ jsonrpc: '2.0', ...m })
  const body = Array.isArray(message) ? message.map(whole) : whole(message)
  return send(MCP, { key, body, headers: { ...ACCEPT, ...headers }, signal })
}

/** Sends one request as a client of revision 2026-07-28 does. */
export const sendModern = (key: string, { id = 1, method, params = {} }: Rpc, given: Sending = {}): Promise<Answer> =>
  sendRpc(
    key,
    {
      id,
      method,
      params: {
        ...params,
        _meta: {
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
        ...(typeof params.name === 'string' && { 'mcp-name': params.name }),
        ...given.headers,
      },
    },
  )

/** The two ways to speak: a test of what both must do runs over these. */
export const ERAS = [
  ['a 2025 revision', (key: string, m: Rpc, given?: Sending) => sendRpc(key, { id: 1, ...m }, given)],
  ['2026-07-28', sendModern],
] as const

export type CallResult = {
  content: { type: string; text?: string; data?: string; mimeType?: string }[]
  structuredContent?: Record<string, unknown>
  isError?: boolean
  service?: { credits_charged: number }
  _meta?: Record<string, unknown>
}

/** The result of a JSON-RPC answer. */
export const resultOf = ({ body }: Answer): CallResult => body.result as CallResult

/** What a failed call says, as JSON. */
export const failureOf = (answer: Answer): Record<string, unknown> => {
  const { isError, content } = resultOf(answer)
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
export const mcpUrl = (): URL => new URL(`http://127.0.0.1:3000${MCP}`)

/** A word no other client uses. */
export const secretWord = (): string => randomUUID().replaceAll('-', '')
