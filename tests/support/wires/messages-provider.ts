import { recordsIn } from '../../../server/kit/record'
import type { JsonObject, Move, Scene, SceneUsage, WireProvider } from './scene'

/** `input_tokens` are those that no cache had or got. */
const usageOf = ({ input, output, cached = 0, written = 0 }: SceneUsage): JsonObject => ({
  input_tokens: input - cached - written,
  cache_creation_input_tokens: written,
  cache_read_input_tokens: cached,
  cache_creation: { ephemeral_5m_input_tokens: written, ephemeral_1h_input_tokens: 0 },
  output_tokens: output,
  service_tier: 'standard',
})

const HEAD = { id: 'msg_01Xq', type: 'message', role: 'assistant', model: 'theirs-20260101' }

const reasonOf = ({ calls }: Scene) => (calls?.length ? 'tool_use' : 'end_turn')

/** The content blocks of an answer, whole: thought, text, calls. */
const blocksOf = ({ text, thought, calls = [] }: Scene): JsonObject[] => [
  ...(thought ? [{ type: 'thinking', thinking: thought.text.join(''), signature: thought.proof }] : []),
  ...(text ? [{ type: 'text', text: text.join('') }] : []),
  ...calls.map(({ id, name, args }) => ({ type: 'tool_use', id, name, input: JSON.parse(args.join('')) })),
]

/** The deltas of each block, in the pieces of the scene. */
const deltasOf = ({ text, thought, calls = [] }: Scene): JsonObject[][] => [
  ...(thought
    ? [
        [
          ...thought.text.map((thinking) => ({ type: 'thinking_delta', thinking })),
          { type: 'signature_delta', signature: thought.proof },
        ],
      ]
    : []),
  ...(text ? [text.map((piece) => ({ type: 'text_delta', text: piece }))] : []),
  ...calls.map(({ args }) => ['', ...args].map((piece) => ({ type: 'input_json_delta', partial_json: piece }))),
]

/** A block before its deltas. */
const begun = ({ type, id, name }: JsonObject): JsonObject =>
  type === 'thinking'
    ? { type, thinking: '', signature: '' }
    : type === 'text'
      ? { type, text: '' }
      : { type, id, name, input: {} }

const move = (data: JsonObject, mark?: Move['mark']): Move => ({
  text: `event: ${String(data.type)}\ndata: ${JSON.stringify(data)}\n\n`,
  mark,
})

/** Its events: one block after the other, a ping between, the reason with the usage. */
function moves(scene: Scene): Move[] {
  const { usage, fault } = scene
  const message = { ...HEAD, content: [], stop_reason: null, stop_sequence: null }
  const made: Move[] = [
    move({ type: 'message_start', message: { ...message, usage: usageOf({ ...usage, output: 1 }) } }),
  ]
  const deltas = deltasOf(scene)
  for (const [index, block] of blocksOf(scene).entries()) {
    made.push(move({ type: 'content_block_start', index, content_block: begun(block) }))
    if (index === 0) made.push(move({ type: 'ping' }))
    for (const [i, delta] of (deltas[index] ?? []).entries()) {
      const isFirstText = delta.type === 'text_delta' && i === 0
      made.push(move({ type: 'content_block_delta', index, delta }, isFirstText ? 'text' : undefined))
      if (!isFirstText || fault !== 'error') continue
      const error = { type: 'overloaded_error', message: 'Overloaded' }
      return [...made, move({ type: 'error', error, request_id: 'req_011CSHoEeqs5C35K2UUqR7Fy' })]
    }
    made.push(move({ type: 'content_block_stop', index }))
  }
  const last = made.at(-1)
  if (last) last.mark = 'said'
  const delta = { stop_reason: reasonOf(scene), stop_sequence: null }
  return [
    ...made,
    move({ type: 'message_delta', delta, usage: { output_tokens: usage.output } }),
    move({ type: 'message_stop' }),
  ]
}

const textOf = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : recordsIn(content)
        .map(({ text }) => text ?? '')
        .join('')

const effortOf = (thinking: unknown): string | null => {
  const budget = (thinking as { budget_tokens?: number } | undefined)?.budget_tokens
  return budget === undefined ? null : budget > 16_384 ? 'high' : budget > 4_096 ? 'medium' : 'low'
}

type Source = { type: string; url?: string; media_type?: string; data?: string }
const uriOf = ({ url, media_type, data }: Source) => url ?? `data:${media_type};base64,${data}`

/** The Messages API as its provider serves it. */
export const messagesProvider: WireProvider = {
  path: '/v1/messages',
  answer: (scene) => ({
    ...HEAD,
    content: blocksOf(scene),
    stop_reason: reasonOf(scene),
    stop_sequence: null,
    usage: usageOf(scene.usage),
  }),
  moves,
  refusal: (message) => ({
    type: 'error',
    error: { type: 'invalid_request_error', message },
    request_id: 'req_011CSHoEeqs5C35K2UUqR7Fy',
  }),
  read: (asked) => {
    const messages = recordsIn(asked.messages)
    const user = messages.find(({ role }) => role === 'user')
    const image = recordsIn(user?.content).find(({ type }) => type === 'image')
    const blocks = messages.flatMap(({ content }) => recordsIn(content))
    const format = (asked.output_config as { format?: { schema?: unknown } } | undefined)?.format
    return {
      text: textOf(user?.content),
      tools: recordsIn(asked.tools).map(({ name }) => String(name)),
      image: image ? uriOf(image.source as Source) : null,
      schema: format?.schema ?? null,
      effort: effortOf(asked.thinking),
      limit: asked.max_tokens,
      proof: blocks.find(({ type }) => type === 'thinking')?.signature ?? null,
      results: Object.fromEntries(
        blocks
          .filter(({ type }) => type === 'tool_result')
          .map(({ tool_use_id: id, content }) => [String(id), textOf(content)]),
      ),
    }
  },
}
