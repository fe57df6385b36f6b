import type { WireName } from '../../../server/models/completion'
import { chatClient } from './chat-client'
import { chatProvider } from './chat-provider'
import { messagesClient } from './messages-client'
import { messagesProvider } from './messages-provider'
import { responsesClient } from './responses-client'
import { responsesProvider } from './responses-provider'
import type { WireClient, WireProvider } from './scene'

/** Each wire from its two ends: a client, and a provider that acts its scene. */
export const WIRE_ENDS: Record<WireName, { client: WireClient; provider: WireProvider }> = {
  chat: { client: chatClient, provider: chatProvider },
  responses: { client: responsesClient, provider: responsesProvider },
  messages: { client: messagesClient, provider: messagesProvider },
}
