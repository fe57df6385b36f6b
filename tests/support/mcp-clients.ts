import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js'
import type { fetchFromListener } from './listener'
import { mcpUrl } from './mcp'

type Progress = { progress: number; message?: string }

/** How a call is waited for. `timeoutMs` begins again with each progress notification. */
type Waiting = { onProgress?: (progress: Progress) => void; timeoutMs?: number; signal?: AbortSignal }

/** What every client can do, whatever it is made of. */
export type McpClient = {
  listTools: () => Promise<{ tools: { name: string }[] }>
  callTool: (call: { name: string; arguments: Record<string, unknown> }, waiting?: Waiting) => Promise<object>
  close: () => Promise<void>
}

type Fetch = typeof fetchFromListener

const requestInit = (key: string) => ({ headers: { authorization: `Bearer ${key}` } })

const optionsOf = ({ onProgress, timeoutMs, signal }: Waiting) => ({
  ...(onProgress && { onprogress: onProgress }),
  ...(timeoutMs !== undefined && { timeout: timeoutMs, resetTimeoutOnProgress: true }),
  ...(signal && { signal }),
})

/** A client of the SDK 1.x, which knows the revisions with a handshake. */
export async function oldClient(key: string, fetch: Fetch): Promise<McpClient> {
  const client = new OldClient({ name: 'old', version: '1' })
  const transport = new OldTransport(mcpUrl(), { fetch, requestInit: requestInit(key) })
  await client.connect(transport)
  return {
    listTools: () => client.listTools(),
    callTool: (call, waiting = {}) => client.callTool(call, CallToolResultSchema, optionsOf(waiting)),
    close: () => client.close(),
  }
}

async function currentClient(client: Client, key: string, fetch: Fetch): Promise<McpClient> {
  await client.connect(new StreamableHTTPClientTransport(mcpUrl(), { fetch, requestInit: requestInit(key) }))
  return {
    listTools: () => client.listTools(),
    callTool: (call, waiting = {}) => client.callTool(call, optionsOf(waiting)),
    close: () => client.close(),
  }
}

/** A client that asks for revision 2026-07-28 and no other. */
export const newClient = (key: string, fetch: Fetch): Promise<McpClient> =>
  currentClient(
    new Client({ name: 'new', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } }),
    key,
    fetch,
  )

/** A client of today's SDK that has not said what it wants to speak. */
const plainClient = (key: string, fetch: Fetch): Promise<McpClient> =>
  currentClient(new Client({ name: 'plain', version: '1' }), key, fetch)

/** Each kind of client, for tests of what all must get. */
export const MCP_CLIENTS = [
  ['the SDK 1.x', oldClient],
  ['the SDK 2.x at 2026-07-28', newClient],
  ['the SDK 2.x as it comes', plainClient],
] as const
