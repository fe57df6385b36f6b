import { isRecord, type UnknownRecord } from '../../../kit/record'
import type { CompletionBody, CompletionChunk } from '../../completion'
import type { UpstreamAsk, UpstreamWire } from '../wire'
import { responseToChat } from './answer-to-chat'
import { makeResponsesTranslator } from './events-to-chat'
import { isLastEvent, isResponsesDelta, makeResponsesFactsReader } from './facts'
import { isReadableHere } from './reasoning'
import { responsesFromChat } from './request-from-chat'

const ENCRYPTED = 'reasoning.encrypted_content'

/**
 * What was thought comes back with the next request, since nothing is stored. Models that do not
 * reason refuse to be asked for it.
 */
function includeOf(include: unknown, { efforts }: UpstreamAsk['abilities']): string[] {
  const given = (Array.isArray(include) ? include.map(String) : []).filter((each) => each !== ENCRYPTED)
  return efforts?.length === 0 ? given : [...given, ENCRYPTED]
}

/** Stream options without the padding of events, which is not passed on. */
function streamOptions(options: unknown): UnknownRecord {
  const { include_obfuscation: _padding, ...kept } = isRecord(options) ? options : {}
  return Object.keys(kept).length === 0 ? {} : { stream_options: kept }
}

/**
 * The input without the reasoning that this provider could not read: what another one thought, and
 * what only a provider that had stored it would know.
 */
const readableInput = (input: unknown): unknown =>
  Array.isArray(input)
    ? input.filter((item) => !isRecord(item) || item.type !== 'reasoning' || isReadableHere(item))
    : input

function requestBody(
  body: CompletionBody,
  { upstream, isStream, outputTokens, abilities }: UpstreamAsk,
): UnknownRecord {
  const { stream: _stream, stream_options: options, include, input, ...rest } = body
  const wanted = includeOf(include, abilities)
  const limit = body.max_output_tokens ?? outputTokens
  return {
    ...rest,
    model: upstream.model,
    input: readableInput(input),
    store: false,
    ...(wanted.length > 0 && { include: wanted }),
    ...(limit != null && { max_output_tokens: limit }),
    ...(isStream && { stream: true, ...streamOptions(options) }),
  }
}

/** The error that a response or an event reports, or null. */
function readError(chunk: CompletionChunk): unknown {
  const { type, response } = chunk
  if (type === 'error') return isRecord(chunk.error) ? chunk.error : chunk
  const failed = isRecord(response) && type === 'response.failed' ? response : chunk
  return failed.error ?? (failed.status === 'failed' ? { message: 'The response failed.' } : null)
}

const isBegunCall = (item: unknown) => isRecord(item) && item.type !== 'message' && item.type !== 'reasoning'

/** An upstream that takes the Responses API. */
export const responsesUpstream: UpstreamWire = {
  name: 'responses',
  path: '/responses',
  headers: (key): Record<string, string> => (key ? { authorization: `Bearer ${key}` } : {}),
  fromChat: responsesFromChat,
  requestBody,
  isAnswer: ({ output }) => Array.isArray(output),
  readError,
  isEnd: (data) => data === '[DONE]',
  hasOutput: (chunk) =>
    isResponsesDelta(chunk) ||
    isLastEvent(chunk) ||
    chunk.type === 'response.output_item.done' ||
    (chunk.type === 'response.output_item.added' && isBegunCall(chunk.item)),
  makeFactsReader: makeResponsesFactsReader,
  toChatAnswer: responseToChat,
  makeChatTranslator: makeResponsesTranslator,
}
