import { asJson, type ConnectClient, type ConnectTarget } from '../recipe'

const SCHEMA = 'https://opencode.ai/config.json'
const key = (secret: string | null) => secret ?? '{env:TOLLGATE_KEY}'

const models = ({ baseUrl, secret, model, smallModel }: ConnectTarget): string =>
  asJson({
    $schema: SCHEMA,
    provider: {
      tollgate: {
        npm: '@ai-sdk/openai-compatible',
        name: 'Tollgate',
        options: { baseURL: `${baseUrl}/api/v1`, apiKey: key(secret) },
        models: Object.fromEntries([model, smallModel].map((id) => [id, {}])),
      },
    },
    model: `tollgate/${model}`,
    small_model: `tollgate/${smallModel}`,
  })

const tools = ({ baseUrl, secret }: ConnectTarget): string =>
  asJson({
    $schema: SCHEMA,
    mcp: {
      tollgate: {
        type: 'remote',
        url: `${baseUrl}/api/v1/mcp`,
        oauth: false,
        headers: { Authorization: `Bearer ${key(secret)}` },
      },
    },
  })

const where = 'opencode.json in a project, or ~/.config/opencode/opencode.json.'

export const opencodeClient: ConnectClient = {
  id: 'opencode',
  label: 'opencode',
  group: 'Coding agents',
  docs: 'https://opencode.ai/docs/providers/',
  recipes: [
    { id: 'models', label: 'Models', needs: 'chat', channel: 'chat', where, code: models },
    { id: 'tools', label: 'Tools', needs: 'tools', channel: 'mcp', where, code: tools },
  ],
}
