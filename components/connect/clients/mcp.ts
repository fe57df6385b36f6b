import { mcpConfig } from '../mcp-configs'
import type { ConnectClient } from '../recipe'

const client = (
  id: string,
  label: string,
  docs: string | null,
  recipe: ConnectClient['recipes'][0],
): ConnectClient => ({
  id,
  label,
  group: 'MCP clients',
  docs,
  recipes: [recipe],
})

/** Clients that get a key through OAuth: their user signs in here and chooses what it may do. */
export const oauthMcpClient = client('mcp-oauth', 'Any MCP client with OAuth', null, {
  id: 'tools',
  label: 'Tools',
  needs: 'tools',
  channel: 'mcp',
  where:
    'Give the client this address and no key. It opens a page here, where you choose the tools and the budget of the key it gets.',
  code: ({ baseUrl }) => `${baseUrl}/api/v1/mcp`,
})

export const claudeDesktopClient = client(
  'claude-desktop',
  'Claude Desktop',
  'https://modelcontextprotocol.io/docs/develop/connect-local-servers',
  mcpConfig('claude-desktop', 'Tools'),
)

export const vsCodeClient = client(
  'vscode',
  'VS Code',
  'https://code.visualstudio.com/docs/copilot/customization/mcp-servers',
  mcpConfig('vscode', 'Tools'),
)

export const mcpRemoteClient = client(
  'mcp-remote',
  'mcp-remote',
  'https://www.npmjs.com/package/mcp-remote',
  mcpConfig('mcp-remote', 'Tools'),
)
