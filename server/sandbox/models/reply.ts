import { setTimeout as sleep } from 'node:timers/promises'
import type { UnknownRecord } from '../../kit/record'
import type { ScriptStep } from '../script/script'
import { type SimulatedChoice, type SimulatedCompletion, usageBlock } from './completion'
import type { SandboxWire, StreamAsk } from './wire'

/** One entry per word: enough for who reads the field, without a model behind it. */
const logprobsOf = (text: string) => ({
  content: wordsOf(text).map((token) => ({ token, logprob: -0.125, bytes: [...Buffer.from(token)], top_logprobs: [] })),
  refusal: null,
})

/** A text word by word, each with the blanks before it. */
export const wordsOf = (text: string): string[] => text.match(/\s*\S+|\s+/g) ?? []

/**
 * A text in so many pieces; without a number, word by word. Never fewer than one unless it is
 * empty.
 */
export function piecesOf(text: string, chunks: number | undefined): string[] {
  if (chunks === undefined) return wordsOf(text)
  const units = [...text]
  const count = Math.min(chunks, units.length)
  return Array.from({ length: count }, (_, i) =>
    units.slice(Math.floor((i * units.length) / count), Math.floor(((i + 1) * units.length) / count)).join(''),
  )
}

/** The whole answer as one object. */
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

const headOf = ({ id, created, model }: SimulatedCompletion, object: string) => ({
  id,
  object,
  created,
  model,
  system_fingerprint: 'fp_sandbox',
  sandbox: true,
})

/**
 * Everything a choice says as deltas, in order: reasoning, text, tool calls with their arguments in
 * two halves.
 */
function deltasOf({ text, reasoning, calls }: SimulatedChoice, { chunks }: ScriptStep): UnknownRecord[] {
  return [
    ...wordsOf(reasoning).map((piece) => ({ reasoning: piece })),
    ...piecesOf(text, chunks).map((content) => ({ content })),
    ...calls.flatMap(({ function: { name, arguments: args }, ...call }, index) => {
      const middle = Math.ceil(args.length / 2)
      const halves = [args.slice(0, middle), args.slice(middle)].filter((half) => half !== '')
      return [
        { tool_calls: [{ index, ...call, function: { name, arguments: '' } }] },
        ...halves.map((half) => ({ tool_calls: [{ index, function: { arguments: half } }] })),
      ]
    }),
  ]
}

/** A thing to do to the stream: send this, break it, or say nothing until the other side leaves. */
export type StreamMove = { kind: 'send'; text: string } | { kind: 'cut' } | { kind: 'hang' }

const line = (value: unknown): StreamMove => ({ kind: 'send', text: `data: ${JSON.stringify(value)}\n\n` })

async function* streamCompletion(
  answer: SimulatedCompletion,
  step: ScriptStep,
  { asked, gone }: StreamAsk,
): AsyncGenerator<StreamMove> {
  const head = headOf(answer, 'chat.completion.chunk')
  const wantsUsage = (asked.stream_options as { include_usage?: unknown } | undefined)?.include_usage === true
  const chunk = (choices: UnknownRecord[], rest: UnknownRecord = {}) =>
    line({ ...head, choices, ...(wantsUsage && { usage: null }), ...rest })
  const delta = (index: number, given: UnknownRecord, finish_reason: string | null = null) => {
    const logprobs = asked.logprobs === true && typeof given.content === 'string' ? logprobsOf(given.content) : null
    return chunk([{ index, delta: given, logprobs, finish_reason }])
  }
  const pause = (ms: number | undefined) => (ms ? sleep(ms, undefined, { signal: gone }) : undefined)

  if (step.errorBody200) return yield line({ error: scriptedError(step, 502) })
  let sent = 0
  for (const [index, choice] of answer.choices.entries()) {
    yield delta(index, { role: 'assistant', content: '', refusal: null })
    for (const piece of deltasOf(choice, step)) {
      if (sent > 0) await pause(step.chunkDelayMs)
      const accident = chatAccidentAt(sent, step)
      if (accident) return yield accident
      if (step.comments) yield { kind: 'send', text: ': sandbox processing\n\n' }
      yield delta(index, piece)
      sent++
    }
    const accident = chatAccidentAt(sent, step)
    if (accident) return yield accident
    yield delta(index, {}, choice.finishReason)
  }
  if (step.stopAfterTextBeforeUsage) return yield { kind: 'hang' }
  await pause(step.usageDelayMs)
  const usage = usageBlock(answer, step.usage)
  if (wantsUsage && usage) yield chunk([], { usage })
  if (!step.noDone) yield { kind: 'send', text: 'data: [DONE]\n\n' }
}

/** What happens instead of piece number `sent`; `fail` is how the wire reports an error. */
export function accidentAt(sent: number, step: ScriptStep, fail: () => StreamMove): StreamMove | null {
  if (sent === step.hangAfterChunks) return { kind: 'hang' }
  if (sent === step.cutAfterChunks) return { kind: 'cut' }
  if (sent === step.garbageAfterChunks) return { kind: 'send', text: 'data: {"choices": [{\n\n' }
  return sent === step.failAfterChunks ? fail() : null
}

const chatAccidentAt = (sent: number, step: ScriptStep) =>
  accidentAt(sent, step, () => line({ error: scriptedError(step, 502) }))

/** An error body's `error`, as the script words it. */
export const scriptedError = ({ message, code, param }: ScriptStep, status: number): UnknownRecord => ({
  message: message ?? `The sandbox was asked to fail with ${status}.`,
  type: status < 500 ? 'invalid_request_error' : 'server_error',
  param: param ?? null,
  code: code ?? (status === 502 ? 502 : null),
})

/** Chat completions, as most providers speak them. */
export const chatSandboxWire: SandboxWire = {
  toChatForm: (asked) => asked,
  errorBody: (step, status) => ({ error: scriptedError(step, status) }),
  answerBody: completionBody,
  streamMoves: streamCompletion,
}
