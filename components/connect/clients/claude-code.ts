import { mcpConfig } from '../mcp-configs'
import type { ConnectClient, ConnectTarget } from '../recipe'

const models = ({ baseUrl, secret, model, smallModel }: ConnectTarget): string =>
  [
    `export ANTHROPIC_BASE_URL="${baseUrl}/api"`,
    `export ANTHROPIC_AUTH_TOKEN="${secret ?? '$TOLLGATE_KEY'}"`,
    `export ANTHROPIC_MODEL="${model}"`,
    `export ANTHROPIC_DEFAULT_HAIKU_MODEL="${smallModel}"`,
    'claude',
  ].join('\n')

export const claudeCodeClient: ConnectClient = {
  id: 'claude-code',
  label: 'Claude Code',
  group: 'Coding agents',
  docs: 'https://code.claude.com/docs/en/llm-gateway',
  recipes: [
    {
      id: 'models',
      label: 'Models',
      needs: 'chat',
      channel: 'messages',
      where: 'Run this in a terminal. The last variable names the model of short background tasks.',
      code: models,
    },
    mcpConfig('claude-code', 'Tools'),
    mcpConfig('project', 'Tools of a project'),
  ],
}
