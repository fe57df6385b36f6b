import type { ChunkFacts, CompletionChunk } from '../../completion'
import type { UpstreamWire } from '../wire'
import { hasOutput } from './has-output'
import { textsIn } from './texts'
import { readUsage } from './usage'

type Choice = { index?: unknown; finish_reason?: unknown } | null

export function readFacts(chunk: CompletionChunk): ChunkFacts {
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
  path: '/chat/completions',
  requestBody: (body, model) => ({
    ...body,
    ...(body.stream === true && {
      stream_options: { ...(body.stream_options as object | undefined), include_usage: true },
    }),
    model,
  }),
  isAnswer: ({ choices }) => Array.isArray(choices),
  isEnd: (data) => data === '[DONE]',
  hasOutput,
  readFacts,
}
