import type { ServerResponse } from 'node:http'
import { recordsIn, type UnknownRecord } from '../../../server/kit/record'
import type { Reply } from './reply'

const HEAD = { id: 'chatcmpl-eval', created: 1_767_312_000, model: 'theirs' }

/** Characters of one piece of a stream. */
const PIECE = 400

const piecesOf = (text: string): string[] => text.match(new RegExp(`[^]{1,${PIECE}}`, 'gu')) ?? []

type Usage = { prompt: number; cached: number }

const usageOf = ({ outputTokens, reasoningTokens }: Reply, { prompt, cached }: Usage): UnknownRecord => ({
  prompt_tokens: prompt,
  completion_tokens: outputTokens,
  total_tokens: prompt + outputTokens,
  prompt_tokens_details: { cached_tokens: cached },
  completion_tokens_details: { reasoning_tokens: reasoningTokens },
})

/** The deltas of a message: thoughts, text, then each call in two pieces. */
function deltasOf({ content, tool_calls: calls, ...rest }: UnknownRecord): UnknownRecord[] {
  const { role, ...thoughts } = rest
  return [
    { role, content: '' },
    ...(Object.keys(thoughts).length > 0 ? [thoughts] : []),
    ...piecesOf(typeof content === 'string' ? content : '').map((piece) => ({ content: piece })),
    ...recordsIn(calls).flatMap(({ function: called, ...call }, index) => {
      const { name, arguments: text } = called as { name: string; arguments: string }
      const first = { tool_calls: [{ ...call, index, function: { name, arguments: '' } }] }
      return [first, ...piecesOf(text).map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] }))]
    }),
  ]
}

/** Writes a reply as chat completions APIs do: one object, or a stream of chunks. */
export function writeReply(
  res: ServerResponse,
  reply: Reply,
  { isStream, ...used }: Usage & { isStream: boolean },
): void {
  const usage = usageOf(reply, used)
  if (!isStream) {
    const choices = [{ index: 0, message: reply.message, finish_reason: reply.finish }]
    res.writeHead(200, { 'content-type': 'application/json' })
    return void res.end(JSON.stringify({ ...HEAD, object: 'chat.completion', choices, usage }))
  }
  res.writeHead(200, { 'content-type': 'text/event-stream' })
  const chunk = (fields: UnknownRecord) =>
    res.write(`data: ${JSON.stringify({ ...HEAD, object: 'chat.completion.chunk', ...fields })}\n\n`)
  for (const delta of deltasOf(reply.message)) chunk({ choices: [{ index: 0, delta, finish_reason: null }] })
  chunk({ choices: [{ index: 0, delta: {}, finish_reason: reply.finish }] })
  chunk({ choices: [], usage })
  res.end('data: [DONE]\n\n')
}
