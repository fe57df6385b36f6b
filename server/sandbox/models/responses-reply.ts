import { setTimeout as sleep } from 'node:timers/promises'
import { isRecord, type UnknownRecord } from '../../kit/record'
import type { ScriptStep } from '../script/script'
import { type SimulatedChoice, type SimulatedCompletion, usageBlock } from './completion'
import { accidentAt, piecesOf, type StreamMove, scriptedError, wordsOf } from './reply'
import { offeredTools, responsesInChatForm, toolName } from './responses-request'
import type { SandboxWire, StreamAsk } from './wire'

/** An item of an answer, and the pieces it comes in. */
type ReplyItem = { item: UnknownRecord; begun: UnknownRecord; pieces: Piece[]; ended: UnknownRecord[] }
type Piece = { type: string; delta: string }

const INCOMPLETE: Record<string, string> = { length: 'max_output_tokens', content_filter: 'content_filter' }

const USAGE_NAMES: Record<string, string> = {
  prompt_tokens: 'input_tokens',
  completion_tokens: 'output_tokens',
  prompt_tokens_details: 'input_tokens_details',
  completion_tokens_details: 'output_tokens_details',
}

/** The usage, true or as the script makes it lie, under the names of this API. */
function usageIn(made: SimulatedCompletion, { usage }: ScriptStep): UnknownRecord | null {
  const block = usageBlock(made, usage)
  return block ? Object.fromEntries(Object.entries(block).map(([name, n]) => [USAGE_NAMES[name] ?? name, n])) : null
}

const idOf = (prefix: string, { id }: SimulatedCompletion) => id.replace('chatcmpl-', `${prefix}_`)

function reasoningItem(made: SimulatedCompletion, text: string, asked: UnknownRecord): ReplyItem {
  const isEncrypted = Array.isArray(asked.include) && asked.include.includes('reasoning.encrypted_content')
  const part = { type: 'summary_text', text }
  const begun = { id: idOf('rs', made), type: 'reasoning', summary: [] }
  return {
    begun,
    item: {
      ...begun,
      summary: [part],
      ...(isEncrypted && { encrypted_content: Buffer.from(`sandbox ${text}`).toString('base64') }),
    },
    pieces: wordsOf(text).map((delta) => ({ type: 'response.reasoning_summary_text.delta', delta })),
    ended: [
      { type: 'response.reasoning_summary_text.done', summary_index: 0, text },
      { type: 'response.reasoning_summary_part.done', summary_index: 0, part },
    ],
  }
}

function messageItem(made: SimulatedCompletion, text: string, step: ScriptStep): ReplyItem {
  const base = { id: idOf('msg', made), type: 'message', role: 'assistant' }
  const part = { type: 'output_text', text, annotations: [], logprobs: [] }
  return {
    begun: { ...base, status: 'in_progress', content: [] },
    item: { ...base, status: 'completed', content: [part] },
    pieces: piecesOf(text, step.chunks).map((delta) => ({ type: 'response.output_text.delta', delta })),
    ended: [
      { type: 'response.output_text.done', content_index: 0, text, logprobs: [] },
      { type: 'response.content_part.done', content_index: 0, part },
    ],
  }
}

function inputOf(args: string): string {
  try {
    const json: unknown = JSON.parse(args)
    return isRecord(json) && typeof json.input === 'string' ? json.input : args
  } catch {
    return args
  }
}

function callItem(
  made: SimulatedCompletion,
  { id: call_id, function: { name, arguments: args } }: SimulatedChoice['calls'][number],
  asked: UnknownRecord,
): ReplyItem {
  const offered = offeredTools(asked).find(({ tool }) => toolName(tool) === name)
  const id = `${idOf('fc', made)}${call_id}`
  const within = offered?.namespace === undefined ? {} : { namespace: offered.namespace }
  if (offered?.tool.type === 'local_shell') {
    const base = { id, type: 'local_shell_call', call_id, action: { type: 'exec', env: {}, ...JSON.parse(args) } }
    return { begun: { ...base, status: 'in_progress' }, item: { ...base, status: 'completed' }, pieces: [], ended: [] }
  }
  const isCustom = offered?.tool.type === 'custom'
  const [field, kind, said] = isCustom
    ? (['input', 'custom_tool_call', inputOf(args)] as const)
    : (['arguments', 'function_call', args] as const)
  const base = { id, type: kind, call_id, name, ...within }
  const event = `response.${isCustom ? 'custom_tool_call_input' : 'function_call_arguments'}`
  const middle = Math.ceil(said.length / 2)
  return {
    begun: { ...base, status: 'in_progress', [field]: '' },
    item: { ...base, status: 'completed', [field]: said },
    pieces: [said.slice(0, middle), said.slice(middle)]
      .filter((half) => half !== '')
      .map((delta) => ({ type: `${event}.delta`, delta })),
    ended: [{ type: `${event}.done`, [field]: said }],
  }
}

function itemsOf(made: SimulatedCompletion, step: ScriptStep, asked: UnknownRecord): ReplyItem[] {
  const choice = made.choices[0]
  if (!choice) return []
  const { text, reasoning, calls } = choice
  return [
    ...(reasoning === '' ? [] : [reasoningItem(made, reasoning, asked)]),
    ...(text === '' && calls.length > 0 ? [] : [messageItem(made, text, step)]),
    ...calls.map((call) => callItem(made, call, asked)),
  ]
}

const headOf = (made: SimulatedCompletion, asked: UnknownRecord): UnknownRecord => ({
  id: idOf('resp', made),
  object: 'response',
  created_at: made.created,
  model: made.model,
  error: null,
  incomplete_details: null,
  instructions: asked.instructions ?? null,
  parallel_tool_calls: asked.parallel_tool_calls ?? true,
  store: asked.store ?? true,
  tool_choice: asked.tool_choice ?? 'auto',
  tools: asked.tools ?? [],
  metadata: asked.metadata ?? {},
  sandbox: true,
})

function responseBody(made: SimulatedCompletion, step: ScriptStep, asked: UnknownRecord): UnknownRecord {
  const reason = INCOMPLETE[made.choices[0]?.finishReason ?? '']
  return {
    ...headOf(made, asked),
    status: reason ? 'incomplete' : 'completed',
    ...(reason && { incomplete_details: { reason } }),
    output: itemsOf(made, step, asked).map(({ item }) => item),
    usage: usageIn(made, step),
  }
}

async function* streamResponse(
  made: SimulatedCompletion,
  step: ScriptStep,
  { asked, gone }: StreamAsk,
): AsyncGenerator<StreamMove> {
  let sequence = 0
  const event = (type: string, fields: UnknownRecord): StreamMove => ({
    kind: 'send',
    text: `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence++, ...fields })}\n\n`,
  })
  const pause = (ms: number | undefined) => (ms ? sleep(ms, undefined, { signal: gone }) : undefined)
  const failure = () =>
    event('response.failed', {
      response: { ...head, status: 'failed', output: [], error: { code: 'server_error', ...scriptedError(step, 502) } },
    })
  const head = headOf(made, asked)
  const response = { ...head, status: 'in_progress', output: [], usage: null }

  if (step.errorBody200) return yield event('error', { error: scriptedError(step, 502) })
  yield event('response.created', { response })
  yield event('response.in_progress', { response })
  let sent = 0
  for (const [output_index, { begun, item, pieces, ended }] of itemsOf(made, step, asked).entries()) {
    const at = { item_id: item.id, output_index, ...(item.type === 'message' && { content_index: 0 }) }
    yield event('response.output_item.added', { output_index, item: begun })
    if (item.type === 'message')
      yield event('response.content_part.added', { ...at, part: { type: 'output_text', text: '', annotations: [] } })
    if (item.type === 'reasoning')
      yield event('response.reasoning_summary_part.added', {
        ...at,
        summary_index: 0,
        part: { type: 'summary_text', text: '' },
      })
    for (const { type, delta } of pieces) {
      if (sent > 0) await pause(step.chunkDelayMs)
      const accident = accidentAt(sent, step, failure)
      if (accident) return yield accident
      if (step.comments) yield { kind: 'send', text: ': sandbox processing\n\n' }
      const index = item.type === 'reasoning' ? { summary_index: 0 } : {}
      yield event(type, { ...at, ...index, delta, obfuscation: 'x'.repeat(8) })
      sent++
    }
    const accident = accidentAt(sent, step, failure)
    if (accident) return yield accident
    for (const { type, ...fields } of ended) yield event(String(type), { ...at, ...fields })
    yield event('response.output_item.done', { output_index, item })
  }
  if (step.stopAfterTextBeforeUsage) return yield { kind: 'hang' }
  await pause(step.usageDelayMs)
  if (step.noDone) return
  const whole = responseBody(made, step, asked)
  yield event(`response.${whole.status}`, { response: whole })
}

/** The Responses API: what nobody stored must come with the request. */
export const responsesSandboxWire: SandboxWire = {
  toChatForm: responsesInChatForm,
  errorBody: (step, status) => ({ error: scriptedError(step, status) }),
  answerBody: responseBody,
  streamMoves: streamResponse,
}
