import type { Upstream } from '../shape'
import { chatUpstream } from './chat/upstream'
import { messagesUpstream } from './messages/upstream'
import { responsesUpstream } from './responses/upstream'
import type { UpstreamWire } from './wire'

/** The wires that completions are asked for in, by the upstream's API. */
export const UPSTREAM_WIRES: { readonly [api in Upstream['api']]?: UpstreamWire } = {
  chat: chatUpstream,
  responses: responsesUpstream,
  messages: messagesUpstream,
}
