// The MCP SDK of revision 2026-07-28.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

const client = new Client({ name: 'program', version: '1' })
const headers = { authorization: `Bearer ${process.env.TOLLGATE_KEY}` }
const url = new URL(`${process.env.BASE_URL}/api/v1/mcp`)
await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
const { tools } = await client.listTools()
const result = await client.callTool({ name: 'crypto_get_prices', arguments: { coinIds: ['bitcoin'] } })
console.log(JSON.stringify({ tools: tools.length, result }))
await client.close()
