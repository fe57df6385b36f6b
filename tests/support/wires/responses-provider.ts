import { recordsIn } from '../../../server/kit/record'
import { interleaved, type JsonObject, type Move, type Scene, type SceneUsage, type WireProvider } from './scene'

const ID = 'resp_68a1'

const usageOf = ({ input, output, cached = 0, written, reasoning = 0 }: SceneUsage): JsonObject => ({
  input_tokens: input,
  input_tokens_details: { cached_tokens: cached, ...(written && { cache_write_tokens: written }) },
  output_tokens: output,
  output_tokens_details: { reasoning_tokens: reasoning },
  total_tokens: input + output,
})

const responseOf = (more: JsonObject): JsonObject => ({
  id: ID,
  object: 'response',
  created_at: 1_767_312_000,
  status: 'in_progress',
  background: false,
  error: null,
  incomplete_details: null,
  model: 'theirs-2026-01-01',
  output: [],
  parallel_tool_calls: true,
  previous_response_id: null,
  service_tier: 'default',
  store: false,
  usage: null,
  ...more,
})

const summaryPart = (text: string) => ({ type: 'summary_text', text })
const textPart = (text: string) => ({ type: 'output_text', annotations: [], logprobs: [], text })

/** The items of an output, whole: thought, message, calls. */
const itemsOf = ({ text, thought, calls = [] }: Scene): JsonObject[] => [
  ...(thought
    ? [
        {
          id: 'rs_1',
          type: 'reasoning',
          summary: [summaryPart(thought.text.join(''))],
          encrypted_content: thought.proof,
        },
      ]
    : []),
  ...(text
    ? [{ id: 'msg_1', type: 'message', status: 'completed', role: 'assistant', content: [textPart(text.join(''))] }]
    : []),
  ...calls.map(({ id, name, args }, i) => ({
    id: `fc_${i}`,
    type: 'function_call',
    status: 'completed',
    arguments: args.join(''),
    call_id: id,
    name,
  })),
]

const completed = (scene: Scene) =>
  responseOf({ status: 'completed', output: itemsOf(scene), usage: usageOf(scene.usage) })

/** An item before its parts. */
const begun = ({ id, type, call_id, name }: JsonObject): JsonObject =>
  type === 'reasoning'
    ? { id, type, summary: [], encrypted_content: 'gAAAAB' }
    : type === 'message'
      ? { id, type, status: 'in_progress', role: 'assistant', content: [] }
      : { id, type, status: 'in_progress', arguments: '', call_id, name }

/** Its events, numbered. Calls come at the same time, each in its place of the output. */
function moves(scene: Scene): Move[] {
  const { text = [], thought, calls = [], fault } = scene
  let number = 0
  const move = (type: string, more: JsonObject, mark?: Move['mark']): Move => ({
    text: `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: number++, ...more })}\n\n`,
    mark,
  })
  const items = itemsOf(scene)
  const at = (item: JsonObject) => ({ item_id: item.id, output_index: items.indexOf(item) })
  const added = (item: JsonObject) =>
    move('response.output_item.added', { output_index: items.indexOf(item), item: begun(item) })
  const done = (item: JsonObject) => move('response.output_item.done', { output_index: items.indexOf(item), item })
  const made: Move[] = [
    move('response.created', { response: responseOf({}) }),
    move('response.in_progress', { response: responseOf({}) }),
  ]
  for (const item of items.filter(({ type }) => type === 'reasoning')) {
    const whole = thought?.text.join('') ?? ''
    const place = { ...at(item), summary_index: 0 }
    made.push(
      added(item),
      move('response.reasoning_summary_part.added', { ...place, part: summaryPart('') }),
      ...(thought?.text ?? []).map((delta) =>
        move('response.reasoning_summary_text.delta', { ...place, delta, obfuscation: 'k2' }),
      ),
      move('response.reasoning_summary_text.done', { ...place, text: whole }),
      move('response.reasoning_summary_part.done', { ...place, part: summaryPart(whole) }),
      done(item),
    )
  }
  for (const item of items.filter(({ type }) => type === 'message')) {
    const place = { ...at(item), content_index: 0 }
    made.push(added(item), move('response.content_part.added', { ...place, part: textPart('') }))
    for (const [i, delta] of text.entries()) {
      const mark = i === 0 ? 'text' : undefined
      made.push(move('response.output_text.delta', { ...place, delta, logprobs: [], obfuscation: 'q' }, mark))
      if (fault !== 'error') continue
      const error = { code: 'server_error', message: 'The server had an error while processing your request.' }
      return [...made, move('response.failed', { response: responseOf({ status: 'failed', error }) })]
    }
    made.push(
      move('response.output_text.done', { ...place, text: text.join(''), logprobs: [] }),
      move('response.content_part.done', { ...place, part: textPart(text.join('')) }),
      done(item),
    )
  }
  const called = items.filter(({ type }) => type === 'function_call')
  made.push(...called.map(added))
  for (const { of, piece } of interleaved(calls.map(({ args }) => args)))
    made.push(move('response.function_call_arguments.delta', { ...at(called[of] as JsonObject), delta: piece }))
  for (const item of called)
    made.push(move('response.function_call_arguments.done', { ...at(item), arguments: item.arguments }), done(item))
  const last = made.at(-1)
  if (last) last.mark = 'said'
  return [...made, move('response.completed', { response: completed(scene) })]
}

const textOf = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : recordsIn(content)
        .map(({ text }) => text ?? '')
        .join('')

/** The Responses API as its provider serves it. */
export const responsesProvider: WireProvider = {
  path: '/v1/responses',
  answer: completed,
  moves,
  refusal: (message) => ({ error: { message, type: 'invalid_request_error', param: 'input', code: 'bad_value' } }),
  read: (asked) => {
    const { input } = asked
    const items = typeof input === 'string' ? [{ role: 'user', content: input }] : recordsIn(input)
    const user = items.find(({ role }) => role === 'user')
    const format = (asked.text as { format?: { schema?: unknown } } | undefined)?.format
    return {
      text: textOf(user?.content),
      tools: recordsIn(asked.tools).map(({ name }) => String(name)),
      image: (recordsIn(user?.content).find(({ type }) => type === 'input_image')?.image_url as string) ?? null,
      schema: format?.schema ?? null,
      effort: (asked.reasoning as { effort?: string } | undefined)?.effort ?? null,
      limit: asked.max_output_tokens,
      proof: items.find((item) => 'encrypted_content' in item)?.encrypted_content ?? null,
      results: Object.fromEntries(
        items.flatMap((item) =>
          'output' in item ? [[String((item as JsonObject).call_id), textOf((item as JsonObject).output)]] : [],
        ),
      ),
    }
  },
}
