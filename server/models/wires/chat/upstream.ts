import type { ChunkFacts, CompletionChunk } from '../../completion'
import type { UpstreamWire } from '../wire'
import { hasOutput } from './has-output'
import { outputLimit } from './output-limit'
import { textsIn } from './texts'
import { readUsage } from './usage'

type Choice = { index?: unknown; finish_reason?: unknown } | null

/** What a chunk or an answer in chat form says. */
export function readChatFacts(chunk: CompletionChunk): ChunkFacts {
  const choices: Choice[] = Array.isArray(chunk.choices) ? chunk.choices : []
  return {
    usage: readUsage(chunk.usage),
    texts: textsIn(chunk),
    // Some providers send an empty reason with every piece.
    endedChoices: choices.flatMap((choice) => (choice?.finish_reason ? [choice.index ?? 0] : [])),
    isEmpty: choices.length === 0,
  }
}

/** An upstream that takes chat completions. */
export const chatUpstream: UpstreamWire = {
  name: 'chat',
  path: '/chat/completions',
  headers: (key): Record<string, string> => (key ? { authorization: `Bearer ${key}` } : {}),
  fromChat: (body) => body,
  requestBody: (body, ask) => ({
    ...body,
    ...outputLimit(body, ask),
    ...(ask.isStream && {
      stream: true,
      stream_options: { ...(body.stream_options as object | undefined), include_usage: true },
    }),
    model: ask.upstream.model,
  }),
  isAnswer: ({ choices }) => Array.isArray(choices),
  readError: ({ error }) => error ?? null,
  isEnd: (data) => data === '[DONE]',
  hasOutput,
  makeFactsReader: () => readChatFacts,
  toChatAnswer: (answer) => answer,
  makeChatTranslator: () => (chunk) => [chunk],
}
