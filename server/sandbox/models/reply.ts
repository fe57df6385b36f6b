import type { UnknownRecord } from '../../kit/record'
import { fillTemplate } from '../kit/template'
import type { ScriptStep } from '../script/script'
import { type SimulatedChoice, type SimulatedCompletion, usageBlock } from './completion'
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

/** One entry per word: enough for who reads the field, without a model behind it. */
const logprobsOf = (text: string) => ({
  content: wordsOf(text).map((token) => ({ token, logprob: -0.125, bytes: [...Buffer.from(token)], top_logprobs: [] })),
  refusal: null,
})

function completionBody(answer: SimulatedCompletion, step: ScriptStep, asked: UnknownRecord): UnknownRecord {
  const usage = usageBlock(answer, step.usage)
  return {
    ...headOf(answer, 'chat.completion'),
    choices: answer.choices.map(({ text, reasoning, calls, finishReason }, index) => ({
      index,
      message: {
        role: 'assistant',
        content: text === '' && calls.length > 0 ? null : text,
        refusal: null,
        ...(reasoning !== '' && { reasoning }),
        ...(calls.length > 0 && { tool_calls: calls }),
      },
      logprobs: asked.logprobs === true ? logprobsOf(text) : null,
      finish_reason: finishReason,
    })),
    ...(usage && { usage }),
  }
}

const headOf = (made: SimulatedCompletion, object: string) => fillTemplate(names.completion, { ...made, object })

/** A choice as deltas, in order: reasoning, text, calls with their arguments in two halves. */
function deltasOf({ text, reasoning, calls }: SimulatedChoice, { chunks }: ScriptStep): UnknownRecord[] {
  return [
    ...wordsOf(reasoning).map((piece) => ({ reasoning: piece })),
    ...piecesOf(text, chunks).map((content) => ({ content })),
    ...calls.flatMap(({ function: { name, arguments: args }, ...call }, index) => [
      { tool_calls: [{ index, ...call, function: { name, arguments: '' } }] },
      ...halvesOf(args)
        .filter((half) => half !== '')
        .map((half) => ({ tool_calls: [{ index, function: { arguments: half } }] })),
    ]),
  ]
}

const line = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`

function streamCompletion(answer: SimulatedCompletion, step: ScriptStep, asked: UnknownRecord): SandboxStream {
  const head = headOf(answer, 'chat.completion.chunk')
  const wantsUsage = (asked.stream_options as { include_usage?: unknown } | undefined)?.include_usage === true
  const chunk = (choices: UnknownRecord[], rest: UnknownRecord = {}) =>
    line({ ...head, choices, ...(wantsUsage && { usage: null }), ...rest })
  const delta = (index: number, given: UnknownRecord, finish_reason: string | null = null) => {
    const logprobs = asked.logprobs === true && typeof given.content === 'string' ? logprobsOf(given.content) : null
    return () => chunk([{ index, delta: given, logprobs, finish_reason }])
  }
  const failed = () => line({ error: scriptedError(step, 502) })
  return { refused: failed, failed, parts: parts() }

  function* parts() {
    for (const [index, choice] of answer.choices.entries()) {
      yield textPart(delta(index, { role: 'assistant', content: '', refusal: null }))
      for (const piece of deltasOf(choice, step)) yield piecePart(delta(index, piece))
      yield { kind: 'pieces end' as const }
      yield textPart(delta(index, {}, choice.finishReason))
    }
    yield { kind: 'all end' as const }
    const usage = usageBlock(answer, step.usage)
    if (wantsUsage && usage) yield textPart(() => chunk([], { usage }))
    if (!step.noDone) yield textPart(() => 'data: [DONE]\n\n')
  }
}

/** An error body's `error`, as the script words it. */
export const scriptedError = ({ message, code, param }: ScriptStep, status: number): UnknownRecord => ({
  message: message ?? failureText(status),
  type: status < 500 ? 'invalid_request_error' : 'server_error',
  param: param ?? null,
  code: code ?? (status === 502 ? 502 : null),
})

/** Chat completions, as most providers speak them. */
export const chatSandboxWire: SandboxWire = {
  toChatForm: (asked) => asked,
  errorBody: (step, status) => ({ error: scriptedError(step, status) }),
  answerBody: completionBody,
  stream: streamCompletion,
}
