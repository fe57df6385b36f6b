import { isRecord, recordsIn, type UnknownRecord } from '../../../kit/record'
import type { CompletionBody } from '../../completion'
import type { UpstreamWire } from '../wire'
import { makeMessageTranslator, messageToCompletion } from './answer-to-chat'
import { hasMessageOutput, makeMessagesFactsReader } from './facts'
import { messagesBodyFromChat } from './from-chat'
import { isSignedHere, isThinking } from './reasoning'

const API_VERSION = '2023-06-01'

/** HTTP statuses of errors that come in a stream, or in a body with status 200. */
const STATUSES: Record<string, number> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
}

/** An upstream that takes requests of the messages API. Its base URL ends in `/v1`. */
export const messagesUpstream: UpstreamWire = {
  name: 'messages',
  path: '/messages',
  headers: (key, { wire, headers }) => ({
    'anthropic-version': API_VERSION,
    ...(key && { 'x-api-key': key }),
    ...(wire === 'messages' && headers),
  }),
  fromChat: messagesBodyFromChat,
  requestBody: (body, { upstream, isStream, outputTokens }) => {
    const { reasoning_budget: _wanted, ...signed } = withSignedThinking(body)
    const limit = body.max_tokens ?? outputTokens
    return { ...signed, max_tokens: limit, model: upstream.model, ...(isStream && { stream: true }) }
  },
  isAnswer: ({ type, content }) => type === 'message' && Array.isArray(content),
  readError: ({ type, error }) => {
    if (!isRecord(error)) return error ?? (type === 'error' ? { message: '' } : null)
    return { ...error, status: error.status ?? STATUSES[String(error.type)] }
  },
  isEnd: (data) => data.includes('message_stop') && isMessageStop(data),
  hasOutput: hasMessageOutput,
  makeFactsReader: makeMessagesFactsReader,
  toChatAnswer: messageToCompletion,
  makeChatTranslator: makeMessageTranslator,
}

function isMessageStop(data: string): boolean {
  try {
    const json: unknown = JSON.parse(data)
    return isRecord(json) && json.type === 'message_stop'
  } catch {
    return false
  }
}

/** A body without thinking that another provider's model did, which this one would refuse. */
function withSignedThinking(body: CompletionBody): CompletionBody {
  const isKept = (block: UnknownRecord) => !isThinking(block) || isSignedHere(block)
  const messages = recordsIn(body.messages)
  if (!messages.some(({ content }) => !recordsIn(content).every(isKept))) return body
  return {
    ...body,
    messages: messages.map((message) =>
      Array.isArray(message.content) ? { ...message, content: recordsIn(message.content).filter(isKept) } : message,
    ),
  }
}
