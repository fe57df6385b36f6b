import { recordsIn } from '../../../server/kit/record'
import { sseEvent } from '../fake-upstream'
import { interleaved, type JsonObject, type Move, type Scene, type SceneUsage, type WireProvider } from './scene'

const HEAD = { id: 'chatcmpl-9aZ', created: 1_767_312_000, model: 'theirs', system_fingerprint: 'fp_1' }
const FORMAT = 'anthropic-claude-v1'

const usageOf = ({ input, output, cached = 0, written, reasoning = 0 }: SceneUsage): JsonObject => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
  prompt_tokens_details: { cached_tokens: cached, audio_tokens: 0, ...(written && { cache_write_tokens: written }) },
  completion_tokens_details: { reasoning_tokens: reasoning, audio_tokens: 0 },
})

const reasonOf = ({ calls }: Scene) => (calls?.length ? 'tool_calls' : 'stop')

/** A chat completion. */
function answer(scene: Scene): JsonObject {
  const { text, thought, calls = [], usage } = scene
  const thoughtText = thought?.text.join('')
  const message = {
    role: 'assistant',
    content: text ? text.join('') : null,
    refusal: null,
    ...(thought && {
      reasoning: thoughtText,
      reasoning_details: [
        { type: 'reasoning.text', text: thoughtText, signature: thought.proof, format: FORMAT, index: 0 },
      ],
    }),
    ...(calls.length > 0 && {
      tool_calls: calls.map(({ id, name, args }) => ({
        id,
        type: 'function',
        function: { name, arguments: args.join('') },
      })),
    }),
  }
  const choices = [{ index: 0, message, logprobs: null, finish_reason: reasonOf(scene) }]
  return { ...HEAD, object: 'chat.completion', service_tier: 'default', choices, usage: usageOf(usage) }
}

/** Its chunks: role, thought, text, calls whose pieces alternate, the reason, usage, `[DONE]`. */
function moves(scene: Scene): Move[] {
  const { text = [], thought, calls = [], usage, fault } = scene
  const line = (more: JsonObject) => sseEvent({ ...HEAD, object: 'chat.completion.chunk', usage: null, ...more })
  const chunk = (delta: JsonObject, finish_reason: string | null = null) =>
    line({ choices: [{ index: 0, delta, logprobs: null, finish_reason }], obfuscation: 'x7' })
  const detail = (fields: JsonObject) => [{ type: 'reasoning.text', ...fields, format: FORMAT, index: 0 }]
  const failed = {
    error: { code: 502, message: 'Provider disconnected unexpectedly', metadata: { error_type: 'x' } },
    choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error' }],
  }
  const [first, ...rest] = text
  return [
    { text: ': OPENROUTER PROCESSING\n\n' },
    { text: chunk({ role: 'assistant', content: '', refusal: null }) },
    ...(thought?.text ?? []).map((piece) => ({
      text: chunk({ content: '', reasoning: piece, reasoning_details: detail({ text: piece }) }),
    })),
    ...(thought ? [{ text: chunk({ content: '', reasoning_details: detail({ signature: thought.proof }) }) }] : []),
    ...(first === undefined ? [] : [{ text: chunk({ content: first }), mark: 'text' as const }]),
    ...(fault === 'error' ? [{ text: line(failed) }] : []),
    ...rest.map((piece) => ({ text: chunk({ content: piece }) })),
    ...calls.map(({ id, name }, index) => ({
      text: chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
    })),
    ...interleaved(calls.map(({ args }) => args)).map(({ of, piece }) => ({
      text: chunk({ tool_calls: [{ index: of, function: { arguments: piece } }] }),
    })),
    { text: chunk({}, reasonOf(scene)), mark: 'said' },
    { text: line({ choices: [], usage: usageOf(usage) }) },
    { text: sseEvent('[DONE]') },
  ]
}

type Message = { role: string; content: unknown; tool_call_id?: string; reasoning_details?: unknown }

const textOf = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : recordsIn(content)
        .map(({ text }) => text ?? '')
        .join('')

/** Chat completions as routers and providers serve them. */
export const chatProvider: WireProvider = {
  path: '/v1/chat/completions',
  answer,
  moves,
  refusal: (message) => ({ error: { message, type: 'invalid_request_error', param: 'messages', code: 'bad_value' } }),
  read: (asked) => {
    const messages = asked.messages as Message[]
    const user = messages.find(({ role }) => role === 'user')
    const image = recordsIn(user?.content).find(({ type }) => type === 'image_url')?.image_url as { url: string }
    const format = asked.response_format as { json_schema?: { schema: unknown } } | undefined
    const details = recordsIn(messages.find(({ role }) => role === 'assistant')?.reasoning_details)
    return {
      text: textOf(user?.content),
      tools: recordsIn(asked.tools).map((tool) => String((tool.function as JsonObject).name)),
      image: image?.url ?? null,
      schema: format?.json_schema?.schema ?? null,
      effort: (asked.reasoning_effort as string | undefined) ?? null,
      limit: asked.max_completion_tokens ?? asked.max_tokens,
      proof: details.find(({ signature }) => signature)?.signature ?? null,
      results: Object.fromEntries(
        messages.filter(({ role }) => role === 'tool').map((m) => [String(m.tool_call_id), textOf(m.content)]),
      ),
    }
  },
}
