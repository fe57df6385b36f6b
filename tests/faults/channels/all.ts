import { agentRuns } from './agent'
import { plainChat, streamedChat } from './chat'
import type { FaultChannel } from './define'
import { mcpCalls } from './mcp'
import { fixedQuery, meteredQuery } from './query'
import { sdkChat } from './sdk'

/** Every way to use the product that costs credits. */
export const CHANNELS: readonly FaultChannel[] = [
  fixedQuery,
  meteredQuery,
  plainChat,
  streamedChat,
  sdkChat,
  mcpCalls,
  agentRuns,
]
