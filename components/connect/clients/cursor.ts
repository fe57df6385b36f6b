import { mcpConfig } from '../mcp-configs'
import type { ConnectClient, ConnectTarget } from '../recipe'

const models = ({ baseUrl, secret, model }: ConnectTarget): string =>
  [
    `OpenAI API Key:            ${secret ?? '<your key>'}`,
    `Override OpenAI Base URL:  ${baseUrl}/api/v1`,
    `Custom model:              ${model}`,
  ].join('\n')

export const cursorClient: ConnectClient = {
  id: 'cursor',
  label: 'Cursor',
  group: 'Coding agents',
  docs: 'https://cursor.com/docs',
  recipes: [
    {
      id: 'models',
      label: 'Models',
      needs: 'chat',
      channel: 'chat',
      where:
        'Cursor Settings, Models, API Keys. Cursor calls from its own servers, so this address must be public. Which modes accept a key is up to Cursor.',
      code: models,
    },
    mcpConfig('cursor', 'Tools'),
  ],
}
