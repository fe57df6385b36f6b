import { createHash } from 'node:crypto'
import type { UnknownRecord } from '../../../server/kit/record'
import type { WantedCall } from '../../../server/sandbox/player/ask'
import type { Temperament } from './temperament'

/** What goes wrong with one answer, as it does at real providers. */
export type Mishap =
  | 'overloaded'
  | 'empty'
  | 'refused'
  | 'filtered'
  | 'cut_call'
  | 'broken_arguments'
  | 'unknown_tool'
  | 'unasked_json'

/** What a model wants to say. */
export type ModelMove = { calls: readonly WantedCall[] } | { text: string }

export type Reply = { message: UnknownRecord; finish: string; outputTokens: number; reasoningTokens: number }

export const roughTokens = (text: string): number => Math.ceil(text.length / 4)

const digest = (text: string) => createHash('sha256').update(text).digest('base64url')

/** The proof that a thought came from this model, which it wants back with the calls. */
export const proofOf = (callId: string): string => digest(`proof ${callId}`)

const THOUGHT = 'The goal needs facts, so a tool comes first; what it returns decides what is next.'

/** The tool calls of a step, each with an id of the provider's own. */
function toolCalls(calls: readonly WantedCall[], seed: string, { thoughts }: Temperament): UnknownRecord[] {
  return calls.map(({ name, args }, index) => {
    const id = `toolu_${digest(`${seed} ${index}`).slice(0, 20)}`
    return {
      id,
      type: 'function',
      function: { name, arguments: JSON.stringify(args) },
      ...(thoughts === 'thought_signature' && { extra_content: { google: { thought_signature: proofOf(id) } } }),
    }
  })
}

/** The fields in which a provider keeps the thoughts of a message. */
function thoughtFields({ thoughts }: Temperament, id: string): UnknownRecord {
  switch (thoughts) {
    case 'reasoning_details': {
      const detail = { type: 'reasoning.text', text: THOUGHT, signature: proofOf(id), format: 'anthropic-claude-v1' }
      return { reasoning: THOUGHT, reasoning_details: [{ ...detail, index: 0 }] }
    }
    case 'reasoning_content':
      return { reasoning_content: THOUGHT }
    case 'thought_signature':
      return {}
    default:
      return thoughts satisfies never
  }
}

type Given = { seed: string; limit: number; mishap: Mishap | null; temperament: Temperament }

const EMPTY = { role: 'assistant', content: '' }

/** An answer that says nothing, or less than it should; null where nothing of the kind happens. */
function spoiltReply({ limit, mishap }: Given, text: string): Reply | null {
  switch (mishap) {
    case 'empty': {
      const message = { ...EMPTY, reasoning_content: THOUGHT.repeat(20) }
      return { message, finish: 'length', outputTokens: limit, reasoningTokens: limit }
    }
    case 'refused': {
      const message = { role: 'assistant', content: null, refusal: "I'm sorry, but I can't help with that." }
      return { message, finish: 'stop', outputTokens: 12, reasoningTokens: 0 }
    }
    case 'filtered': {
      const part = text.slice(0, 60)
      return { message: { ...EMPTY, content: part }, finish: 'content_filter', outputTokens: 15, reasoningTokens: 0 }
    }
    default:
      return null
  }
}

/** A model's answer as an assistant message, cut where the request's limit says so. */
export function makeReply(move: ModelMove, given: Given): Reply {
  const { seed, limit, mishap, temperament } = given
  const spoilt = spoiltReply(given, 'text' in move ? move.text : '')
  if (spoilt) return spoilt
  if ('text' in move) {
    const outputTokens = roughTokens(move.text)
    const fits = outputTokens <= limit
    const content = fits ? move.text : move.text.slice(0, limit * 4)
    return {
      message: { role: 'assistant', content },
      finish: fits ? 'stop' : 'length',
      outputTokens: Math.min(outputTokens, limit),
      reasoningTokens: 0,
    }
  }
  const wanted = move.calls.slice(0, temperament.callsPerStep)
  const named = mishap === 'unknown_tool' ? wanted.map(({ args }) => ({ name: 'browser_open', args })) : wanted
  const calls = toolCalls(named, seed, temperament)
  if (mishap === 'cut_call' || mishap === 'broken_arguments') {
    const called = calls[0]?.function as { arguments: string }
    called.arguments = called.arguments.slice(0, Math.ceil(called.arguments.length / 2))
  }
  const message = {
    role: 'assistant',
    content: temperament.remark,
    ...thoughtFields(temperament, String(calls[0]?.id)),
    tool_calls: calls,
  }
  const outputTokens = roughTokens(JSON.stringify(message))
  const reasoningTokens = roughTokens(THOUGHT)
  return { message, finish: mishap === 'cut_call' ? 'length' : 'tool_calls', outputTokens, reasoningTokens }
}
