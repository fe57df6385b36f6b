import { CopyBox } from '../ui/copy'
import { Tabs } from '../ui/tabs'
import { MCP_CONFIGS } from './mcp-configs'

/**
 * The configuration of each MCP client, ready to paste; contains the key if it was just created.
 */
export const McpClients = (of: { baseUrl: string; secret: string | null }) => (
  <Tabs
    label="MCP clients"
    tabs={MCP_CONFIGS.map(({ id, label, where, code }) => ({
      id,
      label,
      body: (
        <>
          <p className="mb-2 text-muted">{where}</p>
          <CopyBox label={`${label} configuration`} code={code(of)} />
        </>
      ),
    }))}
  />
)
