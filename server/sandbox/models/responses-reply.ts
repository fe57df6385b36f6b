import { isRecord, type UnknownRecord } from '../../kit/record'
import { fillTemplate } from '../kit/template'
import { parseJson } from '../kit/text'
import type { ScriptStep } from '../script/script'
import { type SimulatedChoice, type SimulatedCompletion, usageBlock } from './completion'
import names from './names.json'
import { scriptedError } from './reply'
import { offeredTools, responsesInChatForm, toolName } from './responses-request'
import { halvesOf, piecePart, piecesOf, type SandboxStream, type SandboxWire, textPart, wordsOf } from './stream'

/** An item of an answer, and the pieces it comes in. */
type ReplyItem = { item: UnknownRecord; begun: UnknownRecord; pieces: Piece[]; ended: UnknownRecord[] }
type Piece = { type: string; delta: string }

const INCOMPLETE: Record<string, string> = names.incompleteReasons
const USAGE_NAMES: Record<string, string> = names.usageNames

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
  const json = parseJson(args)
  return isRecord(json) && typeof json.input === 'string' ? json.input : args
}

type Call = SimulatedChoice['calls'][number]

function callItem(made: SimulatedCompletion, { id: call_id, function: called }: Call, asked: UnknownRecord): ReplyItem {
  const { name, arguments: args } = called
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
  return {
    begun: { ...base, status: 'in_progress', [field]: '' },
    item: { ...base, status: 'completed', [field]: said },
    pieces: halvesOf(said)
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

function headOf(made: SimulatedCompletion, asked: UnknownRecord): UnknownRecord {
  const repeated = Object.entries(names.responseDefaults).map(([name, otherwise]) => [name, asked[name] ?? otherwise])
  return fillTemplate(names.response, { ...made, ...Object.fromEntries(repeated), id: idOf('resp', made) })
}

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

function streamResponse(made: SimulatedCompletion, step: ScriptStep, asked: UnknownRecord): SandboxStream {
  let sequence = 0
  const event = (type: string, fields: UnknownRecord) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence++, ...fields })}\n\n`
  const said = (type: string, fields: UnknownRecord) => textPart(() => event(type, fields))
  const head = headOf(made, asked)
  const error = { code: 'server_error', ...scriptedError(step, 502) }
  return {
    refused: () => event('error', { error: scriptedError(step, 502) }),
    failed: () => event('response.failed', { response: { ...head, status: 'failed', output: [], error } }),
    parts: parts(),
  }

  function* parts() {
    const response = { ...head, status: 'in_progress', output: [], usage: null }
    yield said('response.created', { response })
    yield said('response.in_progress', { response })
    for (const [output_index, { begun, item, pieces, ended }] of itemsOf(made, step, asked).entries()) {
      const isMessage = item.type === 'message'
      const index = item.type === 'reasoning' ? { summary_index: 0 } : {}
      const at = { item_id: item.id, output_index, ...(isMessage && { content_index: 0 }) }
      yield said('response.output_item.added', { output_index, item: begun })
      const part = { type: isMessage ? 'output_text' : 'summary_text', text: '', ...(isMessage && { annotations: [] }) }
      if (isMessage) yield said('response.content_part.added', { ...at, part })
      if (item.type === 'reasoning') yield said('response.reasoning_summary_part.added', { ...at, ...index, part })
      for (const { type, delta } of pieces)
        yield piecePart(() => event(type, { ...at, ...index, delta, obfuscation: 'x'.repeat(8) }))
      yield { kind: 'pieces end' as const }
      for (const { type, ...fields } of ended) yield said(String(type), { ...at, ...fields })
      yield said('response.output_item.done', { output_index, item })
    }
    yield { kind: 'all end' as const }
    const whole = responseBody(made, step, asked)
    if (!step.noDone) yield said(`response.${whole.status}`, { response: whole })
  }
}

/** The Responses API: what nobody stored must come with the request. */
export const responsesSandboxWire: SandboxWire = {
  toChatForm: responsesInChatForm,
  errorBody: (step, status) => ({ error: scriptedError(step, status) }),
  answerBody: responseBody,
  stream: streamResponse,
}
