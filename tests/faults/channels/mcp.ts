import { type BodyReading, chargeInBody, parseJsonObject, sendCall } from '../call'
import type { FaultChannel } from './define'
import { keepCalling } from './keep-calling'

export function readToolResult(text: string, status: number): BodyReading {
  const result = parseJsonObject(text)?.result as { isError?: boolean } | undefined
  return { charged: chargeInBody(result), isDelivered: status === 200 && result !== undefined && !result.isError }
}

/** One `tools/call` of a client that needs no handshake. */
const callTool = (key: string, params: object) => (web: string) =>
  sendCall(
    {
      url: `${web}/api/v1/mcp`,
      key,
      headers: { accept: 'application/json, text/event-stream' },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'crypto_get_prices', arguments: params } },
    },
    readToolResult,
  )

export const mcpCalls: FaultChannel = {
  name: 'MCP tools/call',
  minPrice: 3,
  hasRuns: false,
  send: (traffic, seen) =>
    keepCalling(
      [callTool(traffic.key, { coinIds: ['bitcoin'] }), callTool(traffic.key, { coinIds: ['sandbox-slow'] })],
      traffic,
      seen,
    ),
}
