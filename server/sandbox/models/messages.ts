import { isRecord, type UnknownRecord } from '../../kit/record'
import { parseJson } from '../kit/text'
import type { ScriptStep } from '../script/script'
import { type SimulatedChoice, type SimulatedCompletion, usageBlock } from './completion'
import { messagesChatForm, signatureOf } from './messages-request'
import names from './names.json'
import {
  failureText,
  halvesOf,
  piecePart,
  piecesOf,
  type SandboxStream,
  type SandboxWire,
  textPart,
  wordsOf,
} from './stream'

const STOP_REASONS: Record<string, string> = names.stopReasons
const ERROR_TYPES: Record<string, string> = names.errorTypes

const errorBody = ({ message }: ScriptStep, status: number): UnknownRecord => ({
  type: 'error',
  error: { type: ERROR_TYPES[status] ?? 'api_error', message: message ?? failureText(status) },
  request_id: 'req_sandbox000000000000',
})

/** Counts as this API names them: true, or as the script makes them lie. */
function usageOf(answer: SimulatedCompletion, step: ScriptStep): UnknownRecord | undefined {
  const made = usageBlock(answer, step.usage)
  if (!made || typeof step.usage === 'object') return made
  return {
    input_tokens: made.prompt_tokens,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: made.completion_tokens,
    output_tokens_details: { thinking_tokens: answer.usage.reasoning },
  }
}

/** A message with no block yet. */
const headOf = ({ id, model }: SimulatedCompletion) => ({
  id: id.replace('chatcmpl-', 'msg_'),
  type: 'message',
  role: 'assistant',
  model,
})

const onlyChoice = ({ choices: [choice] }: SimulatedCompletion): SimulatedChoice =>
  choice ?? { text: '', reasoning: '', calls: [], finishReason: 'stop' }

/** Why it ended, with the stop sequence of the script's choice. */
function endOf({ finishReason }: SimulatedChoice, { stop_sequences: stops }: UnknownRecord): UnknownRecord {
  if (Array.isArray(stops) && stops.includes(finishReason))
    return { stop_reason: 'stop_sequence', stop_sequence: finishReason }
  return { stop_reason: STOP_REASONS[finishReason] ?? finishReason, stop_sequence: null }
}

function answerBody(answer: SimulatedCompletion, step: ScriptStep, asked: UnknownRecord): UnknownRecord {
  const choice = onlyChoice(answer)
  const { text, reasoning, calls } = choice
  const usage = usageOf(answer, step)
  return {
    ...headOf(answer),
    content: [
      ...(reasoning === '' ? [] : [{ type: 'thinking', thinking: reasoning, signature: signatureOf(reasoning) }]),
      ...(text === '' ? [] : [{ type: 'text', text }]),
      ...calls.map(({ id, function: { name, arguments: args } }) => {
        return { type: 'tool_use', id, name, input: parseJson(args) ?? {} }
      }),
    ],
    ...endOf(choice, asked),
    ...(usage && { usage }),
  }
}

const event = (data: UnknownRecord) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`

type Block = { start: UnknownRecord; deltas: UnknownRecord[]; last?: UnknownRecord }

/** The blocks of an answer with their pieces: thinking, text, calls. */
function blocksOf({ text, reasoning, calls }: SimulatedChoice, { chunks }: ScriptStep): Block[] {
  const thinking: Block = {
    start: { type: 'thinking', thinking: '', signature: '' },
    deltas: wordsOf(reasoning).map((piece) => ({ type: 'thinking_delta', thinking: piece })),
    last: { type: 'signature_delta', signature: signatureOf(reasoning) },
  }
  const said: Block = {
    start: { type: 'text', text: '' },
    deltas: piecesOf(text, chunks).map((piece) => ({ type: 'text_delta', text: piece })),
  }
  const called = calls.map(
    ({ id, function: f }): Block => ({
      start: { type: 'tool_use', id, name: f.name, input: {} },
      deltas: halvesOf(f.arguments).map((half) => ({ type: 'input_json_delta', partial_json: half })),
    }),
  )
  return [...(reasoning === '' ? [] : [thinking]), ...(text === '' ? [] : [said]), ...called]
}

function streamMessage(answer: SimulatedCompletion, step: ScriptStep, asked: UnknownRecord): SandboxStream {
  const choice = onlyChoice(answer)
  const usage = usageOf(answer, step)
  const said = (type: string, fields: UnknownRecord = {}) => textPart(() => event({ type, ...fields }))
  const failed = () => event(errorBody(step, 502))
  return { refused: failed, failed, parts: parts() }

  function* parts() {
    const begun = { ...headOf(answer), content: [], stop_reason: null, stop_sequence: null }
    yield said('message_start', { message: { ...begun, ...(usage && { usage: { ...usage, output_tokens: 1 } }) } })
    yield said('ping')
    for (const [index, { start, deltas, last }] of blocksOf(choice, step).entries()) {
      yield said('content_block_start', { index, content_block: start })
      for (const delta of deltas) yield piecePart(() => event({ type: 'content_block_delta', index, delta }))
      if (last) yield said('content_block_delta', { index, delta: last })
      yield said('content_block_stop', { index })
    }
    yield { kind: 'pieces end' as const }
    const delta = endOf(choice, asked)
    if (step.stopAfterTextBeforeUsage) yield said('message_delta', { delta })
    yield { kind: 'all end' as const }
    yield said('message_delta', { delta, ...(isRecord(usage) && { usage }) })
    if (!step.noDone) yield said('message_stop')
  }
}

/** The messages API, as its provider speaks it. https://platform.claude.com/docs/en/api/messages */
export const messagesSandboxWire: SandboxWire = {
  toChatForm: messagesChatForm,
  errorBody,
  answerBody,
  stream: streamMessage,
}
