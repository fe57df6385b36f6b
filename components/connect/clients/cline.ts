import { asJson, type ConnectClient, type ConnectTarget } from '../recipe'

const models = ({ baseUrl, secret, model }: ConnectTarget): string =>
  [
    'cline auth --provider openai-compatible \\',
    `  --baseurl "${baseUrl}/api/v1" \\`,
    `  --apikey "${secret ?? '$TOLLGATE_KEY'}" \\`,
    `  --modelid "${model}"`,
  ].join('\n')

const tools = ({ baseUrl, secret }: ConnectTarget): string =>
  asJson({
    mcpServers: {
      tollgate: {
        type: 'streamableHttp',
        url: `${baseUrl}/api/v1/mcp`,
        headers: { Authorization: `Bearer ${secret ?? '<your key>'}` },
      },
    },
  })

export const clineClient: ConnectClient = {
  id: 'cline',
  label: 'Cline',
  group: 'Coding agents',
  docs: 'https://docs.cline.bot/provider-config/openai-compatible',
  recipes: [
    {
      id: 'models',
      label: 'Models',
      needs: 'chat',
      channel: 'chat',
      where:
        'In a terminal. In the editor: API Provider “OpenAI Compatible”, with the same base URL, key and model ID.',
      code: models,
    },
    {
      id: 'tools',
      label: 'Tools',
      needs: 'tools',
      channel: 'mcp',
      where:
        'MCP Servers, Configure MCP Servers (cline_mcp_settings.json); in a terminal, ~/.cline/data/settings/cline_mcp_settings.json.',
      code: tools,
    },
  ],
}
