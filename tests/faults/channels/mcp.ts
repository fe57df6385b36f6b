import { chargeOf, parseJson, sendCall } from '../call'
import { keepCalling } from './callers'
import type { Channel } from './channel'

/** One `tools/call` of a client that needs no handshake. */
const callTool = (key: string, params: object) => (web: string) =>
  sendCall(
    {
      url: `${web}/api/v1/mcp`,
      key,
      headers: { accept: 'application/json, text/event-stream' },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'crypto_get_prices', arguments: params } },
    },
    (text, status) => {
      const result = parseJson(text)?.result as { isError?: boolean } | undefined
      return { charged: chargeOf(result), isDelivered: status === 200 && result !== undefined && !result.isError }
    },
  )

export const mcp: Channel = {
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
