import { aiSdkClient } from './clients/ai-sdk'
import { anthropicClient } from './clients/anthropic-sdk'
import { claudeCodeClient } from './clients/claude-code'
import { clineClient } from './clients/cline'
import { codexClient } from './clients/codex'
import { continueClient } from './clients/continue'
import { curlClient } from './clients/curl'
import { cursorClient } from './clients/cursor'
import { langchainClient } from './clients/langchain'
import { claudeDesktopClient, mcpRemoteClient, oauthMcpClient, vsCodeClient } from './clients/mcp'
import { openaiPythonClient, openaiTypescriptClient } from './clients/openai-sdk'
import { opencodeClient } from './clients/opencode'
import type { ConnectClient, Recipe } from './recipe'

/** Every client of the Connect page, in its order. */
export const CONNECT_CLIENTS: readonly [ConnectClient, ...ConnectClient[]] = [
  claudeCodeClient,
  codexClient,
  opencodeClient,
  cursorClient,
  continueClient,
  clineClient,
  openaiTypescriptClient,
  openaiPythonClient,
  anthropicClient,
  aiSdkClient,
  langchainClient,
  oauthMcpClient,
  claudeDesktopClient,
  vsCodeClient,
  mcpRemoteClient,
  curlClient,
]

/** What forms say of them, without their recipes. */
export const namedClients = (): { label: string; needs: Recipe['needs'][] }[] =>
  CONNECT_CLIENTS.map(({ label, recipes }) => ({ label, needs: recipes.map(({ needs }) => needs) }))
