import { agentRuns } from './agent'
import type { Channel } from './channel'
import { plainChat, streamedChat } from './chat'
import { mcp } from './mcp'
import { fixedQuery, meteredQuery } from './query'
import { sdkChat } from './sdk'

/** Every way to use the product that costs credits. */
export const CHANNELS: readonly Channel[] = [fixedQuery, meteredQuery, plainChat, streamedChat, sdkChat, mcp, agentRuns]
