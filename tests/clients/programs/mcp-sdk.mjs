// The MCP SDK of the 2025 revisions.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

const client = new Client({ name: 'program', version: '1' })
const headers = { authorization: `Bearer ${process.env.TOLLGATE_KEY}` }
const url = new URL(`${process.env.BASE_URL}/api/v1/mcp`)
await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
const { tools } = await client.listTools()
const result = await client.callTool({ name: 'crypto_get_prices', arguments: { coinIds: ['bitcoin'] } })
console.log(JSON.stringify({ tools: tools.length, result }))
await client.close()
