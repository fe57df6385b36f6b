import type { ConnectClient, ConnectTarget } from '../recipe'

/** Continue reads secrets from the environment and from ~/.continue/.env. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: Continue fills this in
const key = (secret: string | null) => secret ?? '${{ secrets.TOLLGATE_KEY }}'

const head = ['name: Tollgate', 'version: 1.0.0', 'schema: v1']

const modelWith = (roles: string) =>
  function code({ baseUrl, secret, model }: ConnectTarget): string {
    return [
      ...head,
      'models:',
      `  - name: ${JSON.stringify(model)}`,
      '    provider: openai',
      `    model: ${JSON.stringify(model)}`,
      `    apiBase: ${baseUrl}/api/v1`,
      `    apiKey: ${key(secret)}`,
      `    roles: [${roles}]`,
    ].join('\n')
  }

const tools = ({ baseUrl, secret }: ConnectTarget): string =>
  [
    ...head,
    'mcpServers:',
    '  - name: tollgate',
    '    type: streamable-http',
    `    url: ${baseUrl}/api/v1/mcp`,
    '    requestOptions:',
    '      headers:',
    `        Authorization: Bearer ${key(secret)}`,
  ].join('\n')

const where = '~/.continue/config.yaml. Continue reads TOLLGATE_KEY from ~/.continue/.env.'

export const continueClient: ConnectClient = {
  id: 'continue',
  label: 'Continue',
  group: 'Coding agents',
  docs: 'https://docs.continue.dev/reference',
  recipes: [
    { id: 'models', label: 'Models', needs: 'chat', channel: 'chat', where, code: modelWith('chat, edit, apply') },
    {
      id: 'embeddings',
      label: 'Embeddings',
      needs: 'embedding',
      channel: 'embeddings',
      where,
      code: modelWith('embed'),
    },
    { id: 'tools', label: 'Tools', needs: 'tools', channel: 'mcp', where, code: tools },
  ],
}
