import { mcpConfig } from '../mcp-configs'
import type { ConnectClient, ConnectTarget } from '../recipe'

const models = ({ baseUrl, secret, model }: ConnectTarget): string =>
  [
    `model = "${model}"`,
    'model_provider = "tollgate"',
    '',
    '[model_providers.tollgate]',
    'name = "Tollgate"',
    `base_url = "${baseUrl}/api/v1"`,
    'wire_api = "responses"',
    secret === null ? 'env_key = "TOLLGATE_KEY"' : `experimental_bearer_token = "${secret}"`,
  ].join('\n')

export const codexClient: ConnectClient = {
  id: 'codex',
  label: 'Codex',
  group: 'Coding agents',
  docs: 'https://developers.openai.com/codex/config-advanced',
  recipes: [
    {
      id: 'models',
      label: 'Models',
      needs: 'chat',
      channel: 'responses',
      where:
        '~/.codex/config.toml. The first two lines go above every [table] of the file. Codex warns that it does not know a model of another name, and works with it.',
      code: models,
    },
    mcpConfig('codex', 'Tools'),
  ],
}
