import { AppError } from '../../errors'
import type { CompletionBody, WireName } from '../completion'
import type { Abilities, Adjustment } from './shape'
import { DROPPED } from './shape'

/** A request on its way to one upstream, while it is fitted to what the model takes there. */
export type Draft = {
  /** The upstream's wire, which the body is in, and the caller's, whose fields are named. */
  wire: WireName
  asked: WireName
  /** Our model id. */
  model: string
  abilities: Abilities
  /** A copy that is ours to change, in its top level. */
  body: CompletionBody
  /** Output tokens where the body names no limit. */
  outputTokens?: number
  adjusted: Adjustment[]
}

/** Fields of chat completions that another wire calls something else. */
const NAMES: Record<WireName, Readonly<Record<string, string>>> = {
  chat: {},
  responses: {
    max_tokens: 'max_output_tokens',
    reasoning_effort: 'reasoning.effort',
    response_format: 'text.format',
    verbosity: 'text.verbosity',
  },
  messages: {
    reasoning_effort: 'thinking',
    response_format: 'output_config.format',
    stop: 'stop_sequences',
  },
}

/** A field of chat completions as a wire names it. */
const fieldIn = (wire: WireName, field: string): string => NAMES[wire][field] ?? field

/** Notes what became of a field. */
export function note({ asked, adjusted }: Draft, field: string, now: string): void {
  const named = fieldIn(asked, field)
  if (!adjusted.some((each) => each.field === named)) adjusted.push({ field: named, now })
}

/** Takes a field out of the body, and notes it unless its value asks for nothing. */
export function drop(draft: Draft, name: string, silent?: unknown): void {
  const value = draft.body[name]
  if (value === undefined) return
  delete draft.body[name]
  if (value !== null && value !== silent) note(draft, name, DROPPED)
}

/** The 400 for what a model does not take and the answer would be wrong without. */
export function refuse({ asked, model }: Draft, field: string, message: string): never {
  const param = fieldIn(asked, field)
  throw new AppError('invalid_request', `${param}: ${message.replace('{model}', `Model ${model}`)}`, {
    detail: { param, issues: [{ path: param, message: message.replace('{model}', `model ${model}`) }] },
  })
}
