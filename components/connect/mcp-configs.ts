import type { Recipe } from './recipe'

type Of = { baseUrl: string; secret: string | null }

/** How to configure one MCP client: what to paste, and where. */
export type McpConfig = { id: string; label: string; where: string; code: (of: Of) => string }

/** The server's name in clients. */
const NAME = 'tollgate'
const PLACEHOLDER = '<your key>'

const url = (baseUrl: string) => `${baseUrl}/api/v1/mcp`
const json = (value: unknown) => JSON.stringify(value, null, 2)

/** The header's value: the secret, or a placeholder that the client replaces. */
const bearer = (secret: string | null, otherwise: string) => `Bearer ${secret ?? otherwise}`

/** The command that adds the tools to Claude Code. */
export const claudeCodeMcp = ({ baseUrl, secret }: Of): string =>
  [
    `claude mcp add --transport http ${NAME} ${url(baseUrl)} \\`,
    `  --header "Authorization: ${bearer(secret, '$TOLLGATE_KEY')}"`,
  ].join('\n')

const project = ({ baseUrl, secret }: Of): string =>
  json({
    mcpServers: {
      [NAME]: {
        type: 'http',
        url: url(baseUrl),
        // biome-ignore lint/suspicious/noTemplateCurlyInString: Claude Code fills this in from the environment
        headers: { Authorization: bearer(secret, '${TOLLGATE_KEY}') },
      },
    },
  })

/** mcp-remote speaks HTTP for clients that only start processes. It needs a flag for plain HTTP. */
const remoteArgs = (baseUrl: string) => [
  '-y',
  'mcp-remote',
  url(baseUrl),
  '--transport',
  'http-only',
  ...(baseUrl.startsWith('http:') ? ['--allow-http'] : []),
  '--header',
]

const claudeDesktop = ({ baseUrl, secret }: Of): string =>
  json({
    mcpServers: {
      [NAME]: {
        command: 'npx',
        // No space in an argument: Windows would split it.
        // biome-ignore lint/suspicious/noTemplateCurlyInString: mcp-remote fills this in from env below
        args: [...remoteArgs(baseUrl), 'Authorization:${AUTH_HEADER}'],
        env: { AUTH_HEADER: bearer(secret, PLACEHOLDER) },
      },
    },
  })

const cursor = ({ baseUrl, secret }: Of): string =>
  json({
    mcpServers: {
      // biome-ignore lint/suspicious/noTemplateCurlyInString: Cursor fills this in from the environment
      [NAME]: { url: url(baseUrl), headers: { Authorization: bearer(secret, '${env:TOLLGATE_KEY}') } },
    },
  })

const vsCode = ({ baseUrl, secret }: Of): string =>
  json({
    ...(secret === null && {
      inputs: [{ type: 'promptString', id: 'tollgate-key', description: 'Tollgate key', password: true }],
    }),
    servers: {
      // biome-ignore lint/suspicious/noTemplateCurlyInString: VS Code asks for this and stores it
      [NAME]: { type: 'http', url: url(baseUrl), headers: { Authorization: bearer(secret, '${input:tollgate-key}') } },
    },
  })

const codex = ({ baseUrl, secret }: Of): string =>
  [
    `[mcp_servers.${NAME}]`,
    `url = "${url(baseUrl)}"`,
    secret === null
      ? 'bearer_token_env_var = "TOLLGATE_KEY"'
      : `http_headers = { Authorization = "${bearer(secret, '')}" }`,
    'tool_timeout_sec = 300',
  ].join('\n')

const mcpRemote = ({ baseUrl, secret }: Of): string =>
  `npx ${remoteArgs(baseUrl).join(' ')} "Authorization: ${bearer(secret, '$TOLLGATE_KEY')}"`

/** The supported clients. A secret appears once; without one the text says where it comes from. */
export const MCP_CONFIGS: readonly McpConfig[] = [
  { id: 'claude-code', label: 'Claude Code', where: 'Run this once in a terminal.', code: claudeCodeMcp },
  {
    id: 'project',
    label: '.mcp.json',
    where: 'Claude Code reads .mcp.json at the root of a project. Commit it without a key.',
    code: project,
  },
  {
    id: 'claude-desktop',
    label: 'Claude Desktop',
    where: 'Settings, Developer, Edit Config (claude_desktop_config.json), then restart. Needs Node.js.',
    code: claudeDesktop,
  },
  { id: 'cursor', label: 'Cursor', where: '~/.cursor/mcp.json, or .cursor/mcp.json in a project.', code: cursor },
  {
    id: 'vscode',
    label: 'VS Code',
    where: '.vscode/mcp.json, or MCP: Open User Configuration in the command palette.',
    code: vsCode,
  },
  { id: 'codex', label: 'Codex', where: '~/.codex/config.toml.', code: codex },
  {
    id: 'mcp-remote',
    label: 'mcp-remote',
    where: 'The command for any other client that starts servers as processes. Needs Node.js.',
    code: mcpRemote,
  },
]

/** The configuration of one of them as a recipe. */
export function mcpConfig(id: string, label: string): Recipe {
  const config = MCP_CONFIGS.find((one) => one.id === id)
  if (!config) throw new Error(`no MCP configuration ${id}`)
  return { id, label, needs: 'tools', channel: 'mcp', where: config.where, code: config.code }
}
