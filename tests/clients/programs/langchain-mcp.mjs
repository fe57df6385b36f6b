// LangChain's adapter of MCP servers.
import { MultiServerMCPClient } from '@langchain/mcp-adapters'

const client = new MultiServerMCPClient({
  mcpServers: {
    tollgate: {
      transport: 'http',
      url: `${process.env.BASE_URL}/api/v1/mcp`,
      headers: { Authorization: `Bearer ${process.env.TOLLGATE_KEY}` },
    },
  },
})
const tools = await client.getTools()
const prices = tools.find(({ name }) => name.endsWith('crypto_get_prices'))
const result = await prices.invoke({ coinIds: ['bitcoin'] })
console.log(JSON.stringify({ tools: tools.length, result }))
await client.close()
