import { agentRuns } from './agent'
import { plainChat, streamedChat } from './chat'
import type { FaultChannel } from './define'
import { idempotentCalls } from './idempotent'
import { mcpCalls } from './mcp'
import { fixedQuery, meteredQuery } from './query'
import { sdkChat } from './sdk'
import { mcpTasks } from './task'

/** Every way to use the product that costs credits. */
export const CHANNELS: readonly FaultChannel[] = [
  fixedQuery,
  meteredQuery,
  plainChat,
  streamedChat,
  sdkChat,
  mcpCalls,
  mcpTasks,
  idempotentCalls,
  agentRuns,
]
