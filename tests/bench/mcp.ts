import { compareSubjects, startGateway } from './measure'

const call = { name: 'crypto_get_prices', arguments: { coinIds: ['bitcoin'] } }
const asCall = (params: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })

/**
 * The same billed call over REST and over MCP, in both of its eras, through the production server:
 * requests a second, latencies (ms) and CPU time a call. Returns a Markdown table.
 */
export async function benchMcp(): Promise<string> {
  const { url, pid, key, stop } = await startGateway()
  const mcp = { url: `${url}/api/v1/mcp`, pid, key, headers: { accept: 'application/json, text/event-stream' } }
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const modern = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': call.name }
  try {
    return await compareSubjects(
      [
        {
          name: 'REST /query',
          pid,
          url: `${url}/api/v1/query`,
          key,
          body: JSON.stringify({ tool: call.name, params: call.arguments }),
        },
        { ...mcp, name: 'MCP tools/call, 2025-11-25', body: asCall(call) },
        {
          ...mcp,
          name: 'MCP tools/call, 2026-07-28',
          body: asCall({ ...call, _meta }),
          headers: { ...mcp.headers, ...modern },
        },
      ],
      'REST',
    )
  } finally {
    await stop()
  }
}
