import { compareSubjects, startGateway } from './measure'
import { QUERY_BODY } from './query-body'

const call = { name: 'crypto_get_prices', arguments: { coinIds: ['bitcoin'] } }
const asCall = (params: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
const _meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}
const accept = 'application/json, text/event-stream'
const modern = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': call.name }

/** The call of `QUERY_BODY` over MCP, in both of its eras. */
export const MCP_CALLS = [
  { name: 'MCP tools/call, 2025-11-25', path: '/api/v1/mcp', body: asCall(call), headers: { accept } },
  {
    name: 'MCP tools/call, 2026-07-28',
    path: '/api/v1/mcp',
    body: asCall({ ...call, _meta }),
    headers: { accept, ...modern },
  },
]

/**
 * The same billed call over REST and over MCP, in both of its eras, through the production server:
 * requests a second, latencies (ms) and CPU time a call. Returns a Markdown table.
 */
export async function benchMcp(): Promise<string> {
  const { url, pid, key, stop } = await startGateway()
  try {
    return await compareSubjects(
      [
        { name: 'REST /query', pid, url: `${url}/api/v1/query`, key, body: QUERY_BODY },
        ...MCP_CALLS.map(({ path, ...subject }) => ({ ...subject, pid, key, url: url + path })),
      ],
      'REST',
    )
  } finally {
    await stop()
  }
}
