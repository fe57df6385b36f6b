import { hash } from 'node:crypto'
import { isRecord, recordsIn, type UnknownRecord } from '../../kit/record'
import { countTokens } from '../../models/tokens'
import { estimatePrompt } from '../../models/wires/prompt'
import { sampleOfSchema } from '../script/schema-sample'
import { messagesWithoutNotes, messageText, type ScriptStep } from '../script/script'
import { fillSchema } from '../talk/arguments'
import { talkReply } from '../talk/reply'
import { readTalk, type Talk } from '../talk/talk'
import { forcedCalls } from '../talk/tool-choice'

type SimulatedToolCall = { id: string; type: 'function'; function: { name: string; arguments: string } }

/** What one choice says. */
export type SimulatedChoice = { text: string; reasoning: string; calls: SimulatedToolCall[]; finishReason: string }

export type SimulatedCompletion = Awaited<ReturnType<typeof makeCompletion>>

/** Tokens of an image to this model, whatever its size; less than any estimate takes. */
const PER_IMAGE = 400
/** The sandbox's clock stands still: the same request has the same answer. */
const CREATED = 1_767_312_000

/** A prompt without its images, and how many there were. */
function withoutImages(body: UnknownRecord): { body: UnknownRecord; images: number } {
  let images = 0
  const messages = recordsIn(body.messages).map((message) => {
    if (!Array.isArray(message.content)) return message
    const content = message.content.filter((part) => !isRecord(part) || part.type !== 'image_url')
    images += message.content.length - content.length
    return { ...message, content }
  })
  return { body: { ...body, messages }, images }
}

/** What is said, in the form that the request asks for. */
async function inFormat(format: unknown, talk: Talk): Promise<string> {
  if (!isRecord(format)) return talkReply(talk)
  if (format.type === 'json_object') return JSON.stringify({ answer: await talkReply(talk) })
  if (format.type !== 'json_schema') return talkReply(talk)
  return JSON.stringify(fillSchema(isRecord(format.json_schema) ? format.json_schema.schema : {}, talk.asked))
}

type ScriptedCall = NonNullable<ScriptStep['toolCalls']>[number]

function toCall(body: UnknownRecord, made: ScriptedCall, id: string): SimulatedToolCall {
  const tool = recordsIn(body.tools).find(({ function: f }) => isRecord(f) && f.name === made.name)?.function
  const given = made.arguments ?? sampleOfSchema(isRecord(tool) ? (tool.parameters ?? {}) : {}, 'sandbox')
  const text = typeof given === 'string' ? given : JSON.stringify(given)
  return {
    id: made.id ?? id,
    type: 'function',
    function: { name: made.name, arguments: text.replaceAll('{{count}}', () => String(++counted)) },
  }
}

let counted = 0

const until = (text: string, stop: unknown): string =>
  [stop].flat().reduce<string>((kept, mark) => {
    const at = typeof mark === 'string' && mark !== '' ? kept.indexOf(mark) : -1
    return at < 0 ? kept : kept.slice(0, at)
  }, text)

/** The first tokens of a text, and how many they are. */
async function firstTokens(text: string, limit: number): Promise<{ text: string; tokens: number; isCut: boolean }> {
  const tokens = await countTokens(text)
  if (tokens <= limit) return { text, tokens, isCut: false }
  const { decode, encode } = await import('gpt-tokenizer/encoding/o200k_base')
  const kept = decode(encode(text, { disallowedSpecial: new Set<string>() }).slice(0, limit))
  return { text: kept, tokens: Math.min(limit, await countTokens(kept)), isCut: true }
}

/** What the model answers, with the tokens it took: the gateway's own tokenizer counts them. */
export async function makeCompletion(body: UnknownRecord, step: ScriptStep) {
  const messages = messagesWithoutNotes(recordsIn(body.messages))
  const talk = readTalk(body)
  const { body: plain, images } = withoutImages(body)
  const prompt = (await estimatePrompt(plain, { contextSize: 0 })) + images * PER_IMAGE
  const seed = hash('sha256', JSON.stringify(body)).slice(0, 24)
  const limit = [body.max_completion_tokens, body.max_tokens].find((n) => typeof n === 'number') ?? 1e9

  const offered = recordsIn(body.tools).length > 0 && body.tool_choice !== 'none'
  const calls = (offered ? (step.toolCalls ?? forcedCalls(body, talk.asked)) : []).map((c, i) =>
    toCall(body, c, `call_${seed.slice(0, 12)}${i}`),
  )
  const last = messageText(messages.at(-1) ?? {})
  const written = step.text?.replaceAll('{{last}}', () => last)
  const whole = written ?? (calls.length > 0 ? '' : await inFormat(body.response_format, talk))

  const choices: SimulatedChoice[] = []
  const usage = { prompt, completion: 0, reasoning: 0 }
  for (let i = 0; i < (typeof body.n === 'number' ? body.n : 1); i++) {
    const thought = await firstTokens(step.reasoning ?? '', Number(limit))
    const own = i === 0 || body.response_format ? whole : `${whole} (choice ${i + 1})`
    const said = await firstTokens(until(own, body.stop), Number(limit) - thought.tokens)
    const called = await Promise.all(
      calls.flatMap(({ function: f }) => [f.name, f.arguments]).map((text) => countTokens(text)),
    )
    usage.reasoning += thought.tokens
    usage.completion += thought.tokens + said.tokens + called.reduce((sum, n) => sum + n, 0)
    const ended = said.isCut || thought.isCut ? 'length' : calls.length > 0 ? 'tool_calls' : 'stop'
    choices.push({ text: said.text, reasoning: thought.text, calls, finishReason: step.finishReason ?? ended })
  }
  return { id: `chatcmpl-${seed}`, created: CREATED, model: String(body.model), choices, usage }
}

/** The `usage` object, true or as the script makes it lie; undefined when none is to be sent. */
export function usageBlock({ usage }: SimulatedCompletion, lie: ScriptStep['usage']): UnknownRecord | undefined {
  const make = (prompt: unknown, completion: unknown, total: unknown) => ({
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: total,
    prompt_tokens_details: { cached_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: usage.reasoning },
  })
  const { prompt, completion } = usage
  if (typeof lie === 'object') return lie
  const all = prompt + completion
  const made = {
    true: () => make(prompt, completion, all),
    none: () => undefined,
    negative: () => make(-prompt, -completion, -all),
    string: () => make(String(prompt), String(completion), String(all)),
    float: () => make(prompt + 0.5, completion + 0.25, all + 0.75),
    zero: () => make(0, 0, 0),
    x10: () => make(prompt * 10, completion * 10, all * 10),
  }
  return made[lie ?? 'true']()
}
